import { parseArgs } from "node:util";

export interface RepeatOptions {
  /** How often all suites run. */
  times: number;
  /** The number of busy loops that run next to the suites. Each uses one processor. */
  busy: number;
  /** True if the runs continue after a suite has failed. */
  goesOn: boolean;
  /** The revision that git compares the working tree with. */
  since: string;
  /** Patterns of suite paths. If empty, the suites that the change affects run. */
  patterns: string[];
}

const USAGE = "npm run test:repeat -- [--times 10] [--busy 0] [--go-on] [--since HEAD] [suite …]";

/** @throws {Error} with the usage when an argument is wrong */
export function repeatOptions(args: string[]): RepeatOptions {
  const number = (name: string, text: string, least: number) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least) return value;
    throw new Error(`--${name} takes a whole number from ${least} on.\n${USAGE}`);
  };
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      times: { type: "string", default: "10" },
      busy: { type: "string", default: "0" },
      "go-on": { type: "boolean", default: false },
      since: { type: "string", default: "HEAD" },
    },
  });
  return {
    times: number("times", values.times, 1),
    busy: number("busy", values.busy, 0),
    goesOn: values["go-on"],
    since: values.since,
    patterns: positionals,
  };
}
