// Loads a server with `wrk` from Debian's package. It uses a few percent of a processor. Callers in this process would
// use as much as the server and hide its speed.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** The content and target of one request. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  body: object;
}
export interface Load {
  requests: number;
  perSecond: number;
  /** In milliseconds, like `p99`. */
  p50: number;
  p99: number;
}

const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1_000 };

/**
 * Parses the output of `wrk --latency`.
 * @throws {Error} when a request failed, or a value is missing
 */
function readReport(report: string): Load {
  const failed = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(report);
  if (failed) throw new Error(`wrk: ${failed[0]}`);
  const number = (pattern: RegExp) => {
    const found = pattern.exec(report);
    if (!found) throw new Error(`wrk printed no ${pattern.source}:\n${report}`);
    return Number(found[1]) * (UNITS[found[2] ?? "ms"] ?? 1);
  };
  return {
    requests: number(/(\d+) requests in/),
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50: number(/ 50%\s+([\d.]+)(us|ms|s)\b/),
    p99: number(/ 99%\s+([\d.]+)(us|ms|s)\b/),
  };
}

/**
 * Posts the same request repeatedly with this many concurrent callers.
 * @throws {Error} when a response has an error status
 */
export async function loadWith({ url, headers, body }: Target, callers: number, seconds: number): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), "weft-wrk-"));
  try {
    const script = join(folder, "request.lua");
    const lines = Object.entries(headers).map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`);
    await writeFile(script, ['wrk.method = "POST"', `wrk.body = ${lua(JSON.stringify(body))}`, ...lines].join("\n"));
    const args = ["-t1", `-c${callers}`, `-d${seconds}s`, "--latency", "--timeout", "30s", "-s", script, url];
    const { stdout } = await promisify(execFile)("wrk", args, { timeout: (seconds + 60) * 1_000 });
    return readReport(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A text as a string of Lua. Lua understands JSON's escapes, except those of characters beyond ASCII. */
const lua = (text: string): string => JSON.stringify(text);
