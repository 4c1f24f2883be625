import type { LogEntry } from "../../contracts/entities/execution.ts";
import type { Api, Json } from "./api.ts";
import { EventStream, type StreamEvent } from "./events.ts";

/** Waits for the nth event with this name of an execution. */
export async function untilEvent(api: Api, execution: string, name: string, nth = 1): Promise<StreamEvent> {
  const stream = await EventStream.open(api, execution);
  try {
    for (let left = nth; left > 1; left--) await stream.until(name);
    return await stream.until(name);
  } finally {
    stream.close();
  }
}

const OPEN: unknown[] = ["pending", "running", "suspended"];
const MAX_STREAMS = 5;

/**
 * Waits until an execution has ended, with its stream, and reads it. A broken stream is opened again, as clients do,
 * because on a busy machine a node may seem to be gone for a moment.
 */
export async function untilEnd(api: Api, execution: string): Promise<Json> {
  let lastId: number | undefined;
  for (let n = 1; ; n++) {
    const stream = await EventStream.open(api, execution, lastId);
    await stream.toEnd();
    const { body } = await api.get(execution);
    if (!OPEN.includes(body.status) || n === MAX_STREAMS) return body;
    lastId = stream.lastId || lastId;
  }
}

/** The log of an execution, its first 200 entries. */
export async function readLog(api: Api, execution: string): Promise<LogEntry[]> {
  return (await api.get(`${execution}/logs?limit=200`)).body as LogEntry[];
}
