import { randomBytes } from "node:crypto";
import { Collector, type ReceivedSpan } from "../support/collector.ts";
import { newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { describeWithNats, Nats } from "../support/nats.ts";
import { closeAll, serve } from "../support/outbound.ts";
import { removeServer, type Server, startServer, temporaryFolder, untilReady } from "../support/server.ts";

const [INTERNAL, SERVER, CLIENT] = [1, 2, 3];
const EXECUTIONS = "/v1/workspaces/:wId/spaces/:sId/executions";
const hex = (bytes: number) => randomBytes(bytes).toString("hex");

describeWithNats("traces", () => {
  let nats: Nats;
  let collector: Collector;
  let front: Server;
  let worker: Server;

  beforeAll(async () => {
    [nats, collector] = await Promise.all([Nats.open(), Collector.open()]);
    const dataDir = await temporaryFolder();
    const secret = "a secret for tests that is long enough for anything";
    const env = {
      NATS_URL: nats.url,
      JWT_SECRET: secret,
      SECRETS_KEY: secret,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=a%20b",
      OTEL_SERVICE_NAME: "loom",
    };
    const { SERVICE_NAMES } = await import("../../config.ts");
    const others = SERVICE_NAMES.filter(name => name !== "executions").join(",");
    [front, worker] = await Promise.all([
      startServer({ dataDir, env: { ...env, SERVICES: others }, unready: true }),
      startServer({ dataDir, env: { ...env, SERVICES: "executions" } }),
    ]);
    await untilReady(front);
  });
  afterAll(async () => {
    await closeAll();
    await Promise.all([removeServer(front), removeServer(worker)]);
    await Promise.all([nats?.kill(), collector?.close()]);
  });

  test("follow a request with a caller's trace over two nodes to the step and its outgoing call", async () => {
    const endpoint = await serve((_, res) => res.end("{}"));
    const { api, space } = await newWorkspace(front.url);
    const steps = [
      node("call", "http", { url: `${endpoint.url}/x?token=hunter2`, headers: { "X-Key": "hunter3" } }),
      node("broken", "fail", { message: "hunter4", code: "no_luck" }),
    ];
    const workflowId = await newWorkflow(api, space, {
      ...definition(steps),
      edges: [{ source: "call", target: "broken" }],
    });
    const [traceId, spanId] = [hex(16), hex(8)];
    const answer = await fetch(`${front.url}${space}/executions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${api.token}`,
        "content-type": "application/json",
        "x-request-id": "loom-1",
        prefer: "wait=20",
        traceparent: `00-${traceId}-${spanId}-01`,
      },
      body: JSON.stringify({ workflowId, input: "hunter5" }),
    });
    const execution = (await answer.json()) as { id: string; status: string };
    expect(execution.status).toBe("failed");
    // What is not sent yet is sent on stopping.
    expect(await Promise.all([front.stop(), worker.stop()])).toEqual([0, 0]);

    const mine = collector.spans.filter(span => span.traceId === traceId);
    const named = (name: string): ReceivedSpan => {
      const found = mine.find(span => span.name === name);
      if (!found) throw new Error(`No span ${name} among ${mine.map(span => span.name).join(", ")}`);
      return found;
    };
    const request = named(`POST ${EXECUTIONS}`);
    const start = named("executions.start");
    const run = named("execution");
    const step = named("step http");
    const call = named("GET");
    const path = [request, start, run, step, call];
    expect(path.map(span => span.kind)).toEqual([SERVER, INTERNAL, INTERNAL, INTERNAL, CLIENT]);
    expect(path.map(span => span.parentSpanId)).toEqual([spanId, ...path.slice(0, -1).map(span => span.spanId)]);
    // Back on the other node.
    expect(named("workflows.runnable").parentSpanId).toBe(start.spanId);

    const instanceOf = ({ resource }: ReceivedSpan) => resource["service.instance.id"];
    expect(instanceOf(start)).not.toBe(instanceOf(request));
    expect(instanceOf(named("workflows.runnable"))).toBe(instanceOf(request));
    expect(instanceOf(call)).toBe(instanceOf(start));

    expect(request.attributes).toMatchObject({ "weft.request.id": "loom-1", "http.response.status_code": 201 });
    expect(start.attributes).toMatchObject({ "weft.request.id": "loom-1" });
    expect(run.attributes).toMatchObject({ "weft.execution.id": execution.id, "weft.execution.status": "failed" });
    expect(run.status.code).toBe(2);
    expect(step.attributes).toMatchObject({
      "weft.step.type": "http",
      "weft.node.id": "call",
      "weft.step.attempt": 1,
      "weft.step.outcome": "completed",
    });
    const broken = named("step fail");
    expect(broken).toMatchObject({ parentSpanId: run.spanId, status: { code: 2 } });
    expect(broken.attributes).toMatchObject({ "error.type": "no_luck", "weft.step.outcome": "failed" });
    expect(call.attributes).toMatchObject({ "server.address": "127.0.0.1", "http.response.status_code": 200 });

    expect(endpoint.seen.map(({ headers }) => headers.traceparent)).toEqual([`00-${traceId}-${call.spanId}-01`]);
    expect(call.resource).toMatchObject({ "service.name": "loom" });
    expect(collector.headers["x-tenant"]).toBe("a b");
    expect(JSON.stringify(collector.spans)).not.toMatch(/hunter/);
  });
});
