// `npm run sdk` builds the SDK as a separate package in dist/sdk, for programs and pages outside of this project.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareWithInferred, compileSdk } from "./sdk/compile.ts";
import { definitionText } from "./sdk/definition-text.ts";
import { methodsText } from "./sdk/methods-text.ts";

const FOLDER = join("dist", "sdk");

const { name, version, license } = JSON.parse(readFileSync("package.json", "utf8")) as Record<string, string>;

const MANIFEST = {
  name,
  version,
  license,
  description: "The client of Weft, for Node and browsers",
  type: "module",
  sideEffects: false,
  engines: { node: ">=20.3" },
  // The import path is the same as within the project: `weft/sdk`.
  exports: { "./sdk": { types: "./index.d.ts", default: "./index.js" } },
};

const definition = definitionText();
compareWithInferred(definition);
const files = { ...compileSdk(definition, methodsText()), "package.json": `${JSON.stringify(MANIFEST, null, 2)}\n` };
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const [path, text] of Object.entries(files)) writeFileSync(join(FOLDER, path), text);
console.log(`${FOLDER}: ${Object.keys(files).length} files`);
