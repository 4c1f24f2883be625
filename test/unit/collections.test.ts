import { globSync, readFileSync } from "node:fs";
import { COLLECTIONS, DERIVED } from "../../cli/collections.ts";

/** The names that a source gives to `defineCollection`. */
const definedIn = (path: string): string[] =>
  [...readFileSync(path, "utf8").matchAll(/defineCollection(?:<[^(]*>)?\(\{[^}]*?\bname: "(\w+)"/g)].map(
    ([, name = ""]) => name,
  );

const RECORD_OF_A_MIGRATION = "migrations";

it("is one list of all collections that Weft keeps", () => {
  const sources = globSync("{services,adapters,service-kit}/**/*.ts").filter(
    path => !path.endsWith("define-collection.ts"),
  );
  const using = sources.filter(path => /import \{[^}]*\bdefineCollection\b/.test(readFileSync(path, "utf8")));
  const defined = using.map(path => [path, definedIn(path)] as const);
  expect(defined.filter(([, names]) => names.length === 0)).toEqual([]);
  const names = defined.flatMap(([, own]) => own).filter(name => name !== RECORD_OF_A_MIGRATION);
  expect(COLLECTIONS.map(({ name }) => name).sort()).toEqual(names.sort());
  expect(new Set(names).size).toBe(names.length);
  for (const spec of DERIVED) expect(COLLECTIONS).toContain(spec);
});
