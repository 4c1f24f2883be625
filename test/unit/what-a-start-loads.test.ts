import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const STATIC = /^(?:import|export)\s(?!type\b)[^;"]*?from\s+"([^"]+)"|^import\s+"([^"]+)"/gm;

/** All that is loaded with these files: sources by their paths, packages by their names. */
function loadedWith(roots: readonly string[]): Set<string> {
  const loaded = new Set(roots);
  // A set that grows while it is walked is walked to its new end.
  for (const path of loaded) {
    if (!path.endsWith(".ts")) continue;
    for (const [, from, alone] of readFileSync(path, "utf8").matchAll(STATIC)) {
      const target = (from ?? alone)!;
      loaded.add(target.startsWith(".") ? posix.join(posix.dirname(path), target) : target);
    }
  }
  return loaded;
}

const of = (loaded: Set<string>, names: readonly string[]) => names.filter(name => loaded.has(name));

test("the service loads no rarely used modules at its start", () => {
  const loaded = loadedWith(["moleculer.config.ts", "broker-options.ts", ...globSync("services/*/*.service.ts")]);
  const needed = ["services/executions/engine/engine.ts", "contracts/actions.ts", "zod", "moleculer-web"];
  expect(of(loaded, needed)).toEqual(needed);
  const rare = [
    "core/exchange/n8n/import.ts",
    "core/graph/catalogue/describe.ts",
    "services/gateway/openapi/document.ts",
  ];
  const packages = ["htmlparser2", "mongodb", "mysql2", "nodemailer", "pg", "undici", "yaml"];
  // An import of it loads the client of fetch too; see services/gateway/http/http-server.ts.
  expect(of(loaded, [...rare, ...packages, "node:http", "mongoose"])).toEqual([]);
});

test("a command loads neither the checks of workflows nor Zod if it needs none", () => {
  const loaded = loadedWith(["cli/main.ts"]);
  expect(of(loaded, ["sdk/index.ts", "cli/commands/folder.ts"])).toHaveLength(2);
  expect(of(loaded, ["zod", "core/exchange/document.ts", "core/graph/node-types.ts"])).toEqual([]);
});
