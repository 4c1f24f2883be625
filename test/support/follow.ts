import type { LogEntry } from "../../contracts/entities/execution.ts";
import type { Api, Json } from "./api.ts";
import { EventStream, type StreamEvent } from "./events.ts";

/** Waits for the nth event of this name of an execution. */
export async function untilEvent(api: Api, execution: string, name: string, nth = 1): Promise<StreamEvent> {
  const stream = await EventStream.open(api, execution);
  try {
    for (let left = nth; left > 1; left--) await stream.until(name);
    return await stream.until(name);
  } finally {
    stream.close();
  }
}

/** Waits until an execution has ended, by its stream, and reads it. */
export async function untilEnd(api: Api, execution: string): Promise<Json> {
  await (await EventStream.open(api, execution)).toEnd();
  return (await api.get(execution)).body;
}

/** The log of an execution, its first 200 entries. */
export async function readLog(api: Api, execution: string): Promise<LogEntry[]> {
  return (await api.get(`${execution}/logs?limit=200`)).body as LogEntry[];
}
