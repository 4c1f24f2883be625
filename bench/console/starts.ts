import { execFileSync, execSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeServer, startServer } from "../../test/support/server.ts";
import type { Report } from "./report.ts";

const NPM = ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];

/** The development packages that only the web page needs. */
const OF_THE_PAGE =
  /^(@base-ui\/|@codemirror\/|@dagrejs\/|@lezer\/|@tanstack\/|@types\/react|@xyflow\/|axe-core$|eslint-plugin-(jsx-a11y|react-hooks)$|lucide-react$|playwright-core$|react(-dom)?$|uqr$|vite$)/;

function timed(act: () => unknown): number {
  const began = performance.now();
  act();
  return (performance.now() - began) / 1_000;
}

/** How soon `npm start` is ready, in a new folder for data each time. */
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

/** What the page adds to `npm ci`: its packages, and its build. npm's cache holds all packages. */
export function installOften(report: Report, repeats: number): void {
  const folder = mkdtempSync(join(tmpdir(), "weft-install-"));
  const npm = (cwd: string, ...options: string[]) => execFileSync("npm", [...NPM, ...options], { cwd, stdio: "pipe" });
  try {
    execSync(`git archive HEAD | tar -x -C ${folder}`);
    const without = join(folder, "without");
    execSync(`mkdir ${without} && cp package.json package-lock.json ${without}`, { cwd: folder });
    const file = join(without, "package.json");
    const manifest = JSON.parse(readFileSync(file, "utf8")) as { devDependencies: Record<string, string> };
    const left = Object.entries(manifest.devDependencies).filter(([name]) => !OF_THE_PAGE.test(name));
    const plain = { ...manifest, devDependencies: Object.fromEntries(left), overrides: { "unrs-resolver": "1.12.2" } };
    writeFileSync(file, JSON.stringify(plain));
    execFileSync(
      "npm",
      ["install", "--package-lock-only", "--prefer-offline", "--ignore-scripts", "--loglevel=error"],
      {
        cwd: without,
        stdio: "pipe",
      },
    );
    // Fills npm's cache.
    npm(folder, "--ignore-scripts");
    const [bare, packages, built]: number[][] = [[], [], []];
    for (let n = 0; n < repeats; n++) {
      bare!.push(timed(() => npm(without, "--ignore-scripts")));
      packages!.push(timed(() => npm(folder, "--ignore-scripts")));
      rmSync(join(folder, "console/dist"), { recursive: true, force: true });
      built!.push(timed(() => npm(folder)));
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
