import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import { ServiceBroker } from "moleculer";
import { observe } from "../../middlewares/observe.ts";
import { exposition } from "../../telemetry/exposition.ts";
import { openTelemetry } from "../../telemetry/open-telemetry.ts";
import { currentScope, type Scope, withScope } from "../../telemetry/scope.ts";
import { SpanQueue } from "../../telemetry/span-queue.ts";
import { currentTraceparent, endSpan, startTracing, stopTracing, tracing } from "../../telemetry/tracing.ts";
import type { OpenSpan } from "../../telemetry/tracing-port.ts";
import { call, closeAll, failure, guard, serve } from "../support/outbound.ts";

afterEach(closeAll);

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;
const settings = {
  endpoint: "http://127.0.0.1:1",
  headers: {},
  serviceName: "weft",
  nodeId: "n1",
  version: "1",
  sampler: "parentbased_always_on",
  ratio: 1,
  warn: () => undefined,
};
const counted = (metric: string, label: string) =>
  Number(new RegExp(`^${metric}\\{.*"${label}".*\\} (\\d+)$`, "m").exec(exposition())?.[1] ?? 0);

describe("a traceparent", () => {
  const traces = openTelemetry(settings);
  afterAll(() => traces.stop());

  it("is read and written as W3C Trace Context says", () => {
    const place = traces.read(PARENT)!;
    expect(traces.write(place)).toBe(PARENT);
    expect(traces.idOf(place)).toBe(TRACE);
    expect(traces.write(traces.read(`cc-${TRACE}-b7ad6b7169203331-09-what-comes-later`)!)).toBe(PARENT);
  });

  it.each([
    undefined,
    ["a", "b"],
    "",
    `ff-${TRACE}-b7ad6b7169203331-01`,
    `00-${"0".repeat(32)}-b7ad6b7169203331-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`,
    `00-${TRACE}-b7ad6b7169203331`,
    `00-${TRACE}-b7ad6b7169203331-01\r\nx: y`,
    `00-${TRACE}-b7ad6b7169203331-01-more`,
    `00-${TRACE}-b7ad6b7169203331-01-`,
  ])("is ignored if it is invalid: %j", text => {
    const { trace } = traces.begin("x", "server", {}, traces.read(text));
    expect(traces.read(text)).toBeUndefined();
    expect(traces.write(trace)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });
});

test("puts the code of a failure into a span, and no text", () => {
  const codes = ["no_luck", "E11000", "503", "ada@example.com", "Ada is ill", "", "078051120", "x".repeat(65)].map(
    fault => {
      const attributes: unknown[] = [];
      const span = {
        setAttribute: (...set: unknown[]) => (attributes.push(set), span),
        setStatus: () => span,
        end: () => 0,
      };
      endSpan({ span } as unknown as OpenSpan, fault);
      return attributes;
    },
  );
  const told = ["no_luck", "E11000", "503", "other", "other", "other", "other", "other"];
  expect(codes).toEqual(told.map(code => [["error.type", code]]));
});

describe("a sampler", () => {
  const flagsOf = async (sampler: string, ratio: number, parent?: string) => {
    const traces = openTelemetry({ ...settings, sampler, ratio });
    const flags = traces.write(traces.begin("x", "server", {}, traces.read(parent)).trace)?.slice(-2);
    await traces.stop();
    return flags;
  };
  const not = PARENT.replace(/01$/, "00");

  it.each([
    ["always_on", 0, not, "01"],
    ["always_off", 1, PARENT, "00"],
    ["traceidratio", 0, PARENT, "00"],
    ["traceidratio", 1, not, "01"],
    ["parentbased_always_on", 0, undefined, "01"],
    ["parentbased_always_on", 0, not, "00"],
    ["parentbased_always_off", 0, undefined, "00"],
    ["parentbased_always_off", 0, PARENT, "01"],
    ["parentbased_traceidratio", 0, undefined, "00"],
    ["parentbased_traceidratio", 0, PARENT, "01"],
  ])("that is %s with %d below %s records: %s", async (sampler, ratio, parent, flags) => {
    expect(await flagsOf(sampler, ratio, parent)).toBe(flags);
  });
});

describe("spans on their way to the collector", () => {
  const span = { spanContext: () => ({ traceFlags: 1 }) } as ReadableSpan;
  type Answer = Parameters<SpanExporter["export"]>[1];
  const exporter = (answers: (answer: Answer, batch: ReadableSpan[]) => void) => ({
    export: (batch: ReadableSpan[], answer: Answer) => answers(answer, batch),
    shutdown: () => Promise.resolve(),
  });

  it("wait up to a limit, and are dropped beyond it", async () => {
    const before = counted("weft_spans_total", "dropped");
    const answers: Answer[] = [];
    const queue = new SpanQueue(
      exporter(answer => answers.push(answer)),
      () => undefined,
    );
    for (let i = 0; i < 10_000; i++) queue.onEnd(span);
    expect(answers).toHaveLength(1);
    const waiting = 10_000 - (counted("weft_spans_total", "dropped") - before);
    expect(waiting).toBeLessThanOrEqual(5_000);
    // The collector never answers: a stop gives up after its second, and counts what is lost.
    await queue.shutdown();
    expect(counted("weft_spans_total", "dropped") - before).toBe(10_000 - 512);
  });

  it("are not sent if the sampler left them out", () => {
    const queue = new SpanQueue(
      exporter(() => undefined),
      () => undefined,
    );
    queue.onEnd({ spanContext: () => ({ traceFlags: 0 }) } as ReadableSpan);
    return expect(queue.forceFlush()).resolves.toBeUndefined();
  });

  it("are lost with one warning while the collector is away, and sent once it is back", async () => {
    const warn = jest.fn();
    let code = 1;
    const queue = new SpanQueue(
      exporter(answer => answer({ code })),
      warn,
    );
    const [failed, sent] = [counted("weft_spans_total", "failed"), counted("weft_spans_total", "sent")];
    for (let i = 0; i < 3; i++) {
      queue.onEnd(span);
      await queue.forceFlush();
    }
    expect(warn).toHaveBeenCalledTimes(1);
    expect(counted("weft_spans_total", "failed")).toBe(failed + 3);
    code = 0;
    queue.onEnd(span);
    await queue.forceFlush();
    expect(counted("weft_spans_total", "sent")).toBe(sent + 1);
    await queue.shutdown();
  });
});

describe("outgoing calls", () => {
  const seen = async (headers?: Record<string, string>) => {
    const server = await serve((_, res) => res.end());
    await call(guard(), server.url, headers ? { headers } : {});
    return server.seen[0]?.headers;
  };

  it("carry no trace header when tracing is off", async () => {
    expect(tracing()).toBeUndefined();
    expect(await seen()).not.toHaveProperty("traceparent");
  });

  it("carry only the trace header, unless they set their own", async () => {
    await startTracing(settings);
    const scope: Scope = { trace: tracing()?.read(PARENT) };
    const [headers, given] = await withScope(scope, () => Promise.all([seen(), seen({ TraceParent: "mine" })]));
    await stopTracing();
    expect(headers?.traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`));
    expect(Object.keys(headers ?? {})).not.toEqual(expect.arrayContaining(["tracestate"]));
    expect(given?.traceparent).toBe("mine");
  });

  it("are counted by their result", async () => {
    const server = await serve((req, res) => res.writeHead(req.url === "/no" ? 404 : 200).end());
    const guarded = guard();
    const count = (result: string) => counted("weft_outbound_duration_seconds_count", result);
    const before = ["2xx", "4xx", "outbound_refused"].map(count);
    await call(guarded, server.url);
    await call(guarded, `${server.url}/no`);
    await failure(call(guarded, "http://169.254.169.254/"));
    expect(["2xx", "4xx", "outbound_refused"].map(count)).toEqual(before.map(value => value + 1));
  });
});

describe("the scope of work", () => {
  const scopes: (Scope | undefined)[] = [];
  const broker = new ServiceBroker({ logger: false, internalServices: false, middlewares: [observe] });
  broker.createService({
    name: "a",
    actions: {
      outer: ctx => ctx.call("a.inner", { workspaceId: "w2" }),
      inner: () => void scopes.push(currentScope()),
    },
    events: { "a.happened": () => void scopes.push(currentScope()) },
  });
  beforeAll(() => broker.start());
  afterAll(() => broker.stop());
  beforeEach(() => void scopes.splice(0));

  it("is sent along with calls and events", async () => {
    const scope = { requestId: "r1", workspaceId: "w1", executionId: "e1" };
    await withScope(scope, async () => {
      await broker.call("a.outer", {});
      await broker.emit("a.happened", {});
    });
    expect(scopes).toEqual([
      expect.objectContaining({ requestId: "r1", workspaceId: "w2", executionId: "e1", action: "a.inner" }),
      expect.objectContaining({ requestId: "r1", executionId: "e1" }),
    ]);
  });

  it("is taken only from a trusted caller", async () => {
    await broker.call("a.inner", {}, { requestID: "r2" });
    await withScope({ requestId: "r1" }, () => broker.call("a.inner", {}, { requestID: "r3" }));
    expect(scopes.map(scope => scope?.requestId)).toEqual(["r2", "r3"]);
    expect(currentScope()).toBeUndefined();
    expect(currentTraceparent()).toBeUndefined();
  });
});
