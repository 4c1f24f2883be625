import type { z } from "zod";
import { ACTIONS } from "../../contracts/actions.ts";

/** Objects whose unknown keys are dropped without a word. An archive may come from a later version. */
const LENIENT = /^workspaces\.import \/records/;

interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  options?: readonly z.ZodType[];
  items?: readonly z.ZodType[];
  getter?: () => z.ZodType;
}
const INSIDE = ["innerType", "element", "in", "out", "valueType", "left", "right", "rest"] as const;

/** The objects within a schema, and whether each refuses or keeps keys that it does not name. */
function objectsIn(schema: z.ZodType, path: string, seen = new Set<z.ZodType>()): { path: string; isClear: boolean }[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const definition = schema._zod.def as unknown as Definition & Record<string, z.ZodType | undefined>;
  const inner = INSIDE.flatMap(name => (definition[name] ? [[path, definition[name]] as const] : []));
  const fields = Object.entries(definition.shape ?? {}).map(([key, field]) => [`${path}/${key}`, field] as const);
  const others = [...(definition.options ?? []), ...(definition.items ?? [])].map(one => [path, one] as const);
  const later = definition.type === "lazy" && definition.getter ? [[path, definition.getter()] as const] : [];
  const own = definition.type === "object" ? [{ path, isClear: definition.catchall !== undefined }] : [];
  return [...own, ...[...inner, ...fields, ...others, ...later].flatMap(([at, one]) => objectsIn(one, at, seen))];
}

test("silently drops no unknown key in any object of a request", () => {
  const all = Object.entries(ACTIONS)
    .filter(([, { access }]) => access !== "internal")
    .flatMap(([name, { input }]) => objectsIn(input as z.ZodType, `${name} `));
  expect(all.length).toBeGreaterThan(250);
  expect(all.filter(({ path, isClear }) => !isClear && !LENIENT.test(path)).map(({ path }) => path)).toEqual([]);
});
