// Loads a server with `wrk`, Debian's package: it takes a few percent of a processor, where callers in this process would take
// as much as the server and hide how fast it is.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** What one request is, and where it goes. */
export interface Target {
  url: string;
  headers: Record<string, string>;
  body: object;
}
export interface Load {
  requests: number;
  perSecond: number;
  /** In milliseconds, as `p99` is. */
  p50: number;
  p99: number;
}

const UNITS: Record<string, number> = { us: 0.001, ms: 1, s: 1_000 };

/** Reads what `wrk --latency` prints. Throws where a request failed, or where a figure is missing. */
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

/** Posts the same request over and over, with so many callers at a time. Throws where an answer has no status of success. */
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

/** A text as a string of Lua, which knows the escapes of JSON but those of characters beyond ASCII. */
const lua = (text: string): string => JSON.stringify(text);
