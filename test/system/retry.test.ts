import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { ledgerCall, start } from "../support/executions.ts";
import { readLog, untilEnd } from "../support/follow.ts";
import { Ledger } from "../support/ledger.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

describe("retrying a failed execution", () => {
  let ledger: Ledger;
  let server: Server;
  let api: Api;
  let space: string;

  beforeAll(async () => {
    let failures = 1;
    ledger = await Ledger.open(({ path }) => (path === "/breaks" && failures-- > 0 ? { status: 500 } : undefined));
    server = await sharedServer();
    ({ api, space } = await newWorkspace(server.url));
  });
  afterAll(async () => {
    await ledger.close();
  });

  it("starts again from the failed step and keeps the finished steps", async () => {
    const steps = ["before", "breaks", "after"].map(step => ledgerCall(ledger, step));
    const edges = ["before > breaks", "breaks > after"];
    const workflowId = await newWorkflow(api, space, definition(steps, ...edges));
    const failed = await start(api, space, workflowId, { n: 1 });
    expect(await untilEnd(api, failed.path)).toMatchObject({
      status: "failed",
      error: { code: "http_status", nodeId: "breaks" },
    });

    const { status, body } = await api.post(`${failed.path}/retry`);
    expect(status).toBe(201);
    expect(body).toMatchObject({ trigger: { type: "retry", id: failed.id }, attempt: 2, input: { n: 1 } });
    const path = `${space}/executions/${body.id}`;
    const retried = await untilEnd(api, path);
    expect(retried).toMatchObject({ status: "completed", trigger: { type: "retry", id: failed.id } });

    const calls = (id: string) => ["before", "breaks", "after"].map(step => ledger.count(`${id}:${step}`));
    expect(calls(failed.id)).toEqual([1, 1, 0]);
    expect(calls(body.id as string)).toEqual([0, 1, 1]);
    const value = ledger.calls.find(call => call.key === `${failed.id}:before`)?.number;
    const kept = (await readLog(api, path)).find(entry => entry.nodeId === "before");
    expect(kept).toMatchObject({ event: "step.completed", output: { body: { value } } });
  });

  it("is rejected when the workflow is in the trash or deleted", async () => {
    const breaks = definition([node("no", "fail", { message: "no" })]);
    const workflowId = await newWorkflow(api, space, breaks);
    const { path } = await start(api, space, workflowId);
    await untilEnd(api, path);
    const workflow = `${space}/workflows/${workflowId}`;
    expect(await api.patch(`${workflow}/trash`)).toMatchObject({ status: 200 });
    expect(await api.post(`${path}/retry`)).toMatchObject({ status: 409, body: { code: "workflow_trashed" } });
    expect(await api.patch(`${workflow}/restore`)).toMatchObject({ status: 200 });
    expect(await api.post(`${path}/retry`)).toMatchObject({ status: 201 });
    expect(await api.delete(workflow)).toMatchObject({ status: 204 });
    expect(await api.post(`${path}/retry`)).toMatchObject({ status: 404 });
  });

  it("is possible for failed and cancelled executions, not for completed ones", async () => {
    const { path } = await start(api, space, await newWorkflow(api, space, definition([ledgerCall(ledger, "only")])));
    await untilEnd(api, path);
    expect(await api.post(`${path}/retry`)).toMatchObject({ status: 409, body: { code: "execution_not_retryable" } });
  });
});
