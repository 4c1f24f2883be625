import { setTimeout as sleep } from "node:timers/promises";
import type { Api, Json } from "./api.ts";
import { node } from "./definition.ts";
import type { Ledger } from "./ledger.ts";

const POLL_MS = 50;
const WAIT_MS = 20_000;

/** A step that calls the ledger at the path of its own name. */
export const ledgerCall = (ledger: Ledger, id: string) =>
  node(id, "http", { method: "POST", url: `${ledger.url}/${id}`, body: { input: "{{ input }}" } });

export interface Started {
  id: string;
  /** Of the execution in the API. */
  path: string;
}

/** Starts an execution: once this resolves, the start is acknowledged. */
export async function start(api: Api, space: string, workflowId: string, input: unknown = null): Promise<Started> {
  const { status, body } = await api.post(`${space}/executions`, { workflowId, input });
  if (status !== 201) throw new Error(`Starting answered ${status}: ${JSON.stringify(body)}`);
  return { id: body.id, path: `${space}/executions/${body.id}` };
}

/** What an API path gives. */
export async function read(api: Api, path: string): Promise<Json> {
  const { status, body } = await api.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Asks again and again until something holds, for what no event tells. */
export async function eventually(holds: () => Promise<boolean>, what: string, ms = WAIT_MS): Promise<void> {
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
