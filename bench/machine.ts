import { execFileSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import type { Json } from "../test/support/api.ts";
import type { Server } from "../test/support/server.ts";

/** The machine and its load, for the first line of a report. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model ?? "?"}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`;

export const residentMiB = ({ process: { pid } }: Server): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1_024;

export type Call = (
  method: "GET" | "POST",
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Json>;

/** Calls over persistent connections. Throws unless the status of the response is below 300. */
export function callerOf(url: string, token: string): { call: Call; close: () => Promise<void> } {
  const pool = new Pool(url, { connections: 64, pipelining: 1 });
  const call: Call = async (method, path, body, more = {}) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...more };
    const answer = await pool.request({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
  return { call, close: () => pool.close() };
}

/** Waits until a step of a run waits for a signal. */
export async function untilWaits(call: Call, run: string): Promise<void> {
  const waits = ({ status, waitsFor }: Json) => status === "waiting" && waitsFor === "event";
  while (!((await call("GET", `${run}/steps`)) as Json[]).some(waits)) await sleep(10);
}

/** Works through all items, a limited number at a time. */
export async function eachOf<T>(items: Iterable<T>, width: number, work: (item: T) => Promise<void>): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Prints whether a limit is met. A missed limit makes the process fail at the end. */
export function bar(what: string, isMet: boolean): void {
  console.log(`${isMet ? "met   " : "MISSED"}  ${what}`);
  if (!isMet) process.exitCode = 1;
}
