import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Api, type Json, made } from "./api.ts";
import { node } from "./definition.ts";
import { HANG_MS } from "./hang.ts";
import type { Ledger } from "./ledger.ts";

const POLL_MS = 50;
/** Error codes of requests that may succeed a little later. */
const AGAIN = ["unavailable", "idempotency_in_progress"];

/** A step that calls the ledger at the path of the step's name. */
export const ledgerCall = (ledger: Ledger, id: string) =>
  node(id, "http", { method: "POST", url: `${ledger.url}/${id}`, body: { input: "{{ input }}" } });

export interface Started {
  id: string;
  /** The path of the execution in the API. */
  path: string;
}

/** Starts an execution. Once this resolves, the start is acknowledged. */
export async function start(api: Api, space: string, workflowId: string, input: unknown = null): Promise<Started> {
  const id = await made(api, `${space}/executions`, { workflowId, input });
  return { id, path: `${space}/executions/${id}` };
}

/**
 * Starts an execution like a client that may lose a node: repeats the request with the same Idempotency-Key after
 * temporary errors.
 */
export async function startAfterAll(api: Api, space: string, workflowId: string): Promise<Started> {
  const key = { "idempotency-key": randomUUID() };
  let id = "";
  const isStarted = async () => {
    const { status, body } = await api.post(`${space}/executions`, { workflowId }, key);
    if (status === 201) id = body.id;
    else if (!AGAIN.includes(body?.code)) throw new Error(`Starting answered ${status}: ${JSON.stringify(body)}`);
    return status === 201;
  };
  await eventually(isStarted, "a start is acknowledged");
  return { id, path: `${space}/executions/${id}` };
}

/** Reads a path of the API. */
export async function read(api: Api, path: string): Promise<Json> {
  const { status, body } = await api.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Polls until a condition holds, for conditions without an event. */
export async function eventually(holds: () => Promise<boolean>, what: string, ms = HANG_MS): Promise<void> {
  for (const deadline = Date.now() + ms; !(await holds()); await sleep(POLL_MS)) {
    if (Date.now() > deadline) throw new Error(`Not within ${ms} ms: ${what}`);
  }
}

/** Waits until no execution of the space is pending or running. */
export async function untilIdle(api: Api, space: string): Promise<void> {
  const none = async (status: string) => {
    const some = (await read(api, `${space}/executions?status=${status}&limit=1`)) as Json[];
    return some.length === 0;
  };
  await eventually(async () => (await none("pending")) && (await none("running")), "nothing runs any more");
}
