import { globSync, readFileSync } from "node:fs";
import { VARIABLES } from "../../config.ts";
import { ERRORS } from "../../contracts/errors.ts";
import { METRICS } from "../../telemetry/metrics.ts";

const ROOMS = "{adapters,cli,config,contracts,core,middlewares,service-kit,services,telemetry}/**/*.ts";
const sources = globSync(["*.ts", ROOMS]).map(path => readFileSync(path, "utf8"));
/** The words of all sources, without those that begin an entry of a table: `  name: …`. */
const used = new Set(sources.flatMap(text => text.replace(/^ {2}\w+:/gm, "").match(/\w+/g) ?? []));

// What a table names and no source uses was forgotten where it is answered, measured or read.
it.each<[string, readonly string[]]>([
  ["error code", Object.keys(ERRORS)],
  ["metric", Object.keys(METRICS)],
  ["variable", VARIABLES],
])("finds a use of every %s of its table", (_what, names) => {
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter(name => !used.has(name))).toEqual([]);
});
