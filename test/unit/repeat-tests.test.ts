import { spawnSync } from "node:child_process";
import { repeatOptions } from "../../scripts/repeat/options.ts";
import { summaryOf } from "../../scripts/repeat/summary.ts";

test("repeats suites ten times, up to the first failure, by default", () => {
  expect(repeatOptions([])).toEqual({ times: 10, busy: 0, goesOn: false, since: "HEAD", patterns: [] });
  const args = ["--times", "3", "--busy", "2", "--go-on", "--since", "main", "test/unit/cron"];
  expect(repeatOptions(args)).toEqual({ times: 3, busy: 2, goesOn: true, since: "main", patterns: ["test/unit/cron"] });
  for (const wrong of [["--times", "0"], ["--busy=-1"], ["--times", "many"], ["--never"]]) {
    expect(() => repeatOptions(wrong)).toThrow();
  }
});

test("reports which suites failed, and how often", () => {
  expect(summaryOf([["a"], [], ["b", "a"]])).toBe("2 of 3 runs failed\n2 × a\n1 × b");
  expect(summaryOf([[], []])).toBe("0 of 2 runs failed");
});

test("runs a suite the given number of times", () => {
  const args = ["scripts/repeat-tests.ts", "--times", "2", "--busy", "1", "test/unit/clip"];
  const { stdout, status } = spawnSync("node", args, { encoding: "utf8" });
  expect([stdout.trim().split("\n").at(-1), status]).toEqual(["0 of 2 runs failed", 0]);
});
