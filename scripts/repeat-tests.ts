// `npm run test:repeat` runs the suites that a change affects repeatedly, to find unreliable ones.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { repeatOptions } from "./repeat/options.ts";
import { summaryOf } from "./repeat/summary.ts";

const JEST = ["node_modules/jest/bin/jest.js"];
/** The loop ends when its parent process ends, for whatever reason. */
const BUSY = `while (process.ppid === ${process.pid});`;

const lines = (command: string, ...args: string[]) =>
  execFileSync(command, args, { encoding: "utf8" }).split("\n").filter(Boolean);
const listed = (...args: string[]) => lines(process.execPath, ...JEST, "--listTests", ...args);

/** Jest follows imports only. A suite that tests code in a separate process has to be named. */
function changedSuites(since: string): string[] {
  const changed = lines("git", "diff", "--name-only", "--diff-filter=d", since);
  const code = [...changed, ...lines("git", "ls-files", "--others", "--exclude-standard")].filter(f =>
    f.endsWith(".ts"),
  );
  return code.length > 0 ? listed("--findRelatedTests", ...code) : [];
}

/** Runs the suites once and returns those that failed. */
function run(suites: readonly string[], report: string): string[] {
  rmSync(report, { force: true });
  const args = [...JEST, "--json", `--outputFile=${report}`, "--runTestsByPath", ...suites];
  // Jest prints messages for people to standard error, and the report to its file.
  const { status } = spawnSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    testResults: { name: string; status: string }[];
  };
  const failed = testResults.filter(suite => suite.status === "failed").map(({ name }) => relative("", name));
  return status !== 0 && failed.length === 0 ? ["(Jest itself)"] : failed;
}

const { times, busy, goesOn, since, patterns } = repeatOptions(process.argv.slice(2));
const suites = patterns.length > 0 ? listed(...patterns) : changedSuites(since);
if (suites.length === 0) {
  console.log("No suite is touched.");
} else {
  const folder = mkdtempSync(join(tmpdir(), "weft-repeat-"));
  const loops = Array.from({ length: busy }, () => spawn(process.execPath, ["-e", BUSY], { stdio: "ignore" }));
  const runs: string[][] = [];
  try {
    while (runs.length < times && (goesOn || !runs.at(-1)?.length)) runs.push(run(suites, join(folder, "report.json")));
  } finally {
    for (const loop of loops) loop.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(summaryOf(runs));
  if (runs.some(failed => failed.length > 0)) process.exitCode = 1;
}
