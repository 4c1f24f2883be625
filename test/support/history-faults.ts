import { isDeepStrictEqual } from "node:util";
import type { Api, Json } from "./api.ts";
import { read } from "./executions.ts";
import { readLog } from "./follow.ts";
import type { Ledger } from "./ledger.ts";

const FINAL: Record<string, string> = {
  "execution.completed": "completed",
  "execution.failed": "failed",
  "execution.cancelled": "cancelled",
};

const wrongUnless = (holds: boolean, text: string): string[] => (holds ? [] : [text]);

function shape(execution: Json, log: Json[]): string[] {
  const ends = log.filter(entry => entry.event in FINAL);
  const last = log.at(-1);
  return [
    ...wrongUnless(
      log.every((entry, i) => entry.seq === i + 1),
      `seqs are ${log.map(entry => entry.seq).join(",")}, not 1 to ${log.length}`,
    ),
    ...wrongUnless(ends.length === 1, `${ends.length} entries end it`),
    ...wrongUnless(last?.event in FINAL, `the last entry is ${last?.event}`),
    ...wrongUnless(execution.status === FINAL[last?.event], `the API says ${execution.status}, the log ${last?.event}`),
    ...wrongUnless(
      execution.status !== "completed" || isDeepStrictEqual(execution.output, last?.output),
      "the API's output is not that of the log",
    ),
  ];
}

function steps(executionId: string, completed: boolean, log: Json[], ledger: Ledger): string[] {
  const found: string[] = [];
  for (const [node, entries] of Map.groupBy(log, entry => entry.nodeId as string | null)) {
    if (node === null) continue;
    const starts = entries.filter(entry => entry.event === "step.started");
    const done = entries.findIndex(entry => entry.event === "step.completed");
    const calls = ledger.count(`${executionId}:${node}`);
    found.push(
      ...wrongUnless(
        entries.filter(entry => entry.event === "step.completed").length <= 1,
        `${node} completed more than once`,
      ),
      ...wrongUnless(done < 0 || done === entries.length - 1, `${node} goes on after it completed`),
      ...wrongUnless(!completed || starts.length === 0 || done >= 0, `${node} started and never completed`),
      ...wrongUnless(calls <= starts.length, `${node} started ${starts.length} times and called ${calls} times`),
      ...wrongUnless(
        entries[0]?.nodeType !== "http" || done < 0 || starts.length === 0 || calls >= 1,
        `${node} completed without a call`,
      ),
    );
  }
  return found;
}

/**
 * What is wrong with the history of an ended execution whose steps do not fail: gaps, more than one end, a step that
 * ran twice, a call without a started step, or a different report of the API. Empty if nothing is wrong.
 */
export async function historyFaults(api: Api, path: string, ledger: Ledger): Promise<string[]> {
  const [execution, log] = [await read(api, path), await readLog(api, path)];
  const found = [...shape(execution, log), ...steps(execution.id, execution.status === "completed", log, ledger)];
  return found.map(text => `${execution.id}: ${text}`);
}
