import { globSync, readFileSync } from "node:fs";
import { collectionOfSchema } from "../../adapters/store/define-collection.ts";
import { COLLECTIONS, DERIVED } from "../../cli/collections.ts";

/** The names that a source gives to `defineCollection`. */
const definedIn = (path: string): string[] =>
  [...readFileSync(path, "utf8").matchAll(/defineCollection(?:<[^(]*>)?\(\{[^}]*?\bname: "(\w+)"/g)].map(
    ([, name = ""]) => name,
  );

const RECORD_OF_A_MIGRATION = "migrations";

it("lists all collections of Weft", () => {
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

it.each(COLLECTIONS.map(spec => [spec.name, spec] as const))(
  "%s has the layout that its schema for Mongoose has",
  (_, { name, tenant, schema, layout }) => {
    const { layout: expected } = collectionOfSchema({ name, tenant, schema });
    expect({ ...layout, schema: null }).toEqual({ ...expected, schema: null });
    // The order of the fields is that of the columns in an embedded store.
    expect([...layout.fields.keys()]).toEqual([...expected.fields.keys()]);
  },
);
