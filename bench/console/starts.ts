import { execFileSync, execSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeServer, startServer } from "../../test/support/server.ts";
import type { Report } from "./report.ts";

const NPM = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
/** The time limit of one npm command. */
const NPM_MS = 15 * 60_000;

interface Manifest {
  devDependencies: Record<string, string>;
}

/** Runs npm, and prints how long it took, because npm commands take minutes on a slow machine. */
function npm(cwd: string, [command = "", ...options]: string[]): void {
  const seconds = timed(() =>
    execFileSync("npm", [command, ...NPM, ...options], { cwd, stdio: "pipe", timeout: NPM_MS }),
  );
  console.log(`npm ${command} took ${seconds.toFixed(0)} s`);
}

/** The development packages that only the web page needs. */
const OF_THE_PAGE =
  /^(@base-ui\/|@codemirror\/|@dagrejs\/|@lezer\/|@tanstack\/|@types\/react|@xyflow\/|axe-core$|eslint-plugin-(jsx-a11y|react-hooks)$|lucide-react$|playwright-core$|react(-dom)?$|uqr$|vite$)/;

function timed(act: () => unknown): number {
  const began = performance.now();
  act();
  return (performance.now() - began) / 1_000;
}

/** How soon `npm start` is ready, each time with a new data folder. */
export async function startOften(report: Report, repeats: number): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < repeats; n++) {
    const began = performance.now();
    // Without the cache of compiled code that tests share.
    const server = await startServer({ throughNpm: true, env: { NODE_COMPILE_CACHE: "" } });
    times.push((performance.now() - began) / 1_000);
    await removeServer(server);
  }
  report.add("npm start to ready", times, "s", 5);
}

/** What the page adds to `npm ci`: its packages, and its build. All packages are in npm's cache. */
export function installOften(report: Report, repeats: number): void {
  const folder = mkdtempSync(join(tmpdir(), "weft-install-"));
  try {
    execSync(`git archive HEAD | tar -x -C ${folder}`);
    const without = join(folder, "without");
    execSync(`mkdir ${without} && cp package.json package-lock.json ${without}`, { cwd: folder });
    const { devDependencies } = JSON.parse(readFileSync(join(without, "package.json"), "utf8")) as Manifest;
    const ofThePage = Object.keys(devDependencies).filter(name => OF_THE_PAGE.test(name));
    // npm removes them from the lock file, so that it does not ask the registry for versions.
    npm(without, ["uninstall", ...ofThePage, "--package-lock-only", "--ignore-scripts"]);
    // Fills npm's cache.
    npm(folder, ["ci", "--ignore-scripts"]);
    const [bare, packages, built]: number[][] = [[], [], []];
    for (let n = 0; n < repeats; n++) {
      bare!.push(timed(() => npm(without, ["ci", "--ignore-scripts"])));
      packages!.push(timed(() => npm(folder, ["ci", "--ignore-scripts"])));
      rmSync(join(folder, "console/dist"), { recursive: true, force: true });
      built!.push(timed(() => npm(folder, ["ci"])));
    }
    report.add("npm ci without the page's packages", bare!, "s");
    report.add("npm ci without the build", packages!, "s");
    report.add("npm ci", built!, "s");
    const longer = built!.map((time, n) => time - bare![n]!);
    report.add("npm ci is longer by", longer, "s", 15);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
