// Builds the web page into `console/dist`, from which the gateway serves it. `npm ci` runs this as `prepare`. It does
// nothing if the sources or Vite are missing, as in an installation without development packages, or if the sources
// have not changed since the last build.
import { createHash } from "node:crypto";
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

process.chdir(join(import.meta.dirname, ".."));

/** All files that affect the result. */
const SOURCES = [
  "console/**/*",
  "sdk/**/*",
  "contracts/**/*",
  "scripts/console/*",
  "scripts/build-console.ts",
  "package-lock.json",
];
const BUILT = /^console\/dist/;

function stampOf(pages: readonly string[]): string {
  const files = globSync(SOURCES, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !BUILT.test(path) && !/console\/\.build-/.test(path));
  const hash = createHash("sha256").update(pages.join());
  for (const path of files.toSorted()) hash.update(`\0${path}\0`).update(readFileSync(path));
  return hash.digest("hex");
}

async function build(pages: readonly string[], target: string): Promise<void> {
  const stamp = stampOf(pages);
  const stampFile = join(target, "stamp");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp) return;
  const [{ bundle }, { pack }] = await Promise.all([import("./console/bundle.ts"), import("./console/pack.ts")]);
  const began = performance.now();
  // Built in another folder and moved at once, so that a service that starts meanwhile finds all files or none.
  const folder = mkdtempSync("console/.build-");
  try {
    const { files, weights } = await bundle(pages, join(process.cwd(), folder));
    for (const { name, js, css } of weights) {
      console.log(`console: ${name} loads ${js.toFixed(1)} KiB of JavaScript and ${css.toFixed(1)} KiB of CSS, gzip`);
    }
    const faults = weights.flatMap(weight => weight.faults);
    if (faults.length > 0) throw new Error(`The console is over its budget:\n${faults.join("\n")}`);
    await pack(folder, files);
    writeFileSync(join(folder, "stamp"), stamp);
    // A temporary folder is accessible only to its owner, but another user may run the service.
    chmodSync(folder, 0o755);
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`console: built in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

const pages = ["index.html", "answer.html"].filter(page => existsSync(`console/${page}`));
const present = existsSync("console/index.html") && existsSync("node_modules/vite/package.json");
if (present && process.env.NODE_ENV !== "production") await build(pages, "console/dist");
