import { existsSync, readFileSync } from "node:fs";

const manifestOf = (path: string) =>
  JSON.parse(readFileSync(path, "utf8")) as { version: string; dependencies: Record<string, string> };

test("the MongoDB driver that the store imports is the one that Mongoose uses", () => {
  const { dependencies } = manifestOf("package.json");
  const wanted = manifestOf("node_modules/mongoose/package.json").dependencies.mongodb ?? "";
  const [, minor] = /^~(\d+\.\d+)(\.\d+)?$/.exec(wanted) ?? [];
  expect(dependencies.mongodb).toMatch(new RegExp(String.raw`^~${minor}\.\d+$`));
  expect(manifestOf("node_modules/mongodb/package.json").version).toMatch(new RegExp(String.raw`^${minor}\.`));
  expect(existsSync("node_modules/mongoose/node_modules/mongodb")).toBe(false);
});
