import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { Errors, ServiceBroker } from "moleculer";
import { observe } from "../../middlewares/observe.ts";
import { exposition } from "../../telemetry/exposition.ts";
import { Family, gauge, histogram, Value } from "../../telemetry/instruments.ts";
import { metricsPage } from "../../telemetry/metrics-page.ts";
import { METRICS } from "../../telemetry/metrics.ts";
import { freePort } from "../support/free-port.ts";

const node = (port: number, version = "1.2.3") =>
  new ServiceBroker({
    logger: false,
    internalMiddlewares: false,
    internalServices: false,
    skipProcessEventRegistration: true,
    middlewares: [observe, metricsPage({ host: "127.0.0.1", port, version })],
  });

describe("the table of metrics", () => {
  const all = Object.entries(METRICS);

  it.each(all)("describes %s as Prometheus expects", (name, { type, help, labels }) => {
    expect(name).toMatch(/^(weft|process|nodejs)(_[a-z]+)+$/);
    expect(name.endsWith("_total")).toBe(type === "counter");
    expect(help).toMatch(/^\S.*[^.]$/);
    expect(help).not.toMatch(/[\\\n]/);
    expect(labels.length).toBeLessThanOrEqual(3);
    expect(labels).not.toContain("le");
  });

  it.each(all)("has no label of %s with unlimited values", (_, { labels }) => {
    const closed = [
      "method",
      "route",
      "status",
      "action",
      "result",
      "trigger",
      "why",
      "state",
      "type",
      "outcome",
      "kind",
    ];
    const known = [...closed, "purpose", "direction", "repair", "level", "version"];
    for (const label of labels) expect(known).toContain(label);
  });

  it("has ascending bounds for every histogram", () => {
    for (const [, metric] of all) {
      if (metric.type !== "histogram") continue;
      expect(metric.buckets.length).toBeGreaterThan(5);
      expect([...metric.buckets].sort((a, b) => a - b)).toEqual(metric.buckets);
    }
  });
});

describe("an instrument", () => {
  it("returns the same series for the same labels", () => {
    const family = new Family("weft_http_requests_total", () => new Value());
    expect(family.of("GET", "/", "200")).toBe(family.of("GET", "/", "200"));
    expect(family.of("GET", "/", "200")).not.toBe(family.of("GET", "/", "404"));
    expect(family.all.map(({ values }) => values)).toEqual([
      ["GET", "/", "200"],
      ["GET", "/", "404"],
    ]);
  });

  it("counts series beyond the limit together", () => {
    const family = new Family("weft_action_calls_total", () => new Value());
    for (let i = 0; i < 3_000; i++) family.of(`a${i}`, "ok").add();
    expect(family.all.length).toBeLessThanOrEqual(2_001);
    expect(family.all.reduce((sum, { series }) => sum + series.value, 0)).toBe(3_000);
    expect(family.of("other", "other").value).toBeGreaterThan(900);
  });

  it("is left out of the page while its value is unknown", () => {
    const depth = gauge("weft_queue_depth");
    depth("queued").set(3);
    depth("held").set(4);
    depth("queued").forget();
    expect(exposition()).toContain('weft_queue_depth{state="held"} 4\n');
    expect(exposition()).not.toMatch(/state="queued"|NaN/);
    depth("held").forget();
    expect(exposition()).not.toContain("weft_queue_depth");
    depth("queued").set(0);
    expect(exposition()).toContain('weft_queue_depth{state="queued"} 0\n');
  });

  it("puts a value into the first bucket whose bound is not below it", () => {
    const seconds = histogram("weft_journal_append_seconds")();
    for (const value of [0, 0.0005, 0.00051, 5, 5.1]) seconds.observe(value);
    expect(seconds.counts[0]).toBe(2);
    expect(seconds.counts[1]).toBe(1);
    expect(seconds.counts.at(-2)).toBe(1);
    expect(seconds.counts.at(-1)).toBe(1);
    expect(exposition()).toContain('weft_journal_append_seconds_bucket{le="5"} 4\n');
    expect(exposition()).toContain('weft_journal_append_seconds_bucket{le="+Inf"} 5\n');
    expect(exposition()).toContain("weft_journal_append_seconds_count 5\n");
  });
});

describe("the metrics page", () => {
  it("counts and times the calls of each action by their result", async () => {
    const port = await freePort();
    const broker = node(port, 'a"b\\c');
    broker.createService({
      name: "a",
      actions: {
        fine: () => 1,
        refused: () => Promise.reject(new Errors.MoleculerClientError("no", 409)),
        broken: () => Promise.reject(new Error("oh")),
      },
    });
    await broker.start();
    await broker.call("a.fine");
    await broker.call("a.fine");
    await expect(broker.call("a.refused")).rejects.toThrow("no");
    await expect(broker.call("a.broken")).rejects.toThrow("oh");

    const url = `http://127.0.0.1:${port}/metrics`;
    const answer = await fetch(url);
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await answer.text();
    expect(text).toContain('weft_action_calls_total{action="a.fine",result="ok"} 2\n');
    expect(text).toContain('weft_action_calls_total{action="a.refused",result="refused"} 1\n');
    expect(text).toContain('weft_action_calls_total{action="a.broken",result="failed"} 1\n');
    expect(text).toContain('weft_action_active{action="a.fine"} 0\n');
    expect(text).toContain('weft_action_duration_seconds_bucket{action="a.fine",le="+Inf"} 2\n');
    expect(text).toContain('weft_action_duration_seconds_count{action="a.fine"} 2\n');
    expect(text).toContain('weft_build_info{version="a\\"b\\\\c"} 1\n');
    expect(text).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
    expect((await fetch(`${url}x`)).status).toBe(404);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    await broker.stop();
    await expect(fetch(url)).rejects.toThrow();
  });

  it("only warns if its port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const broker = node(port);
    const warn = jest.spyOn(broker.logger, "warn");
    await broker.start();
    expect(warn).toHaveBeenCalledWith(`No metrics on http://127.0.0.1:${port}/metrics: EADDRINUSE`);
    await broker.stop();
    other.close();
  });
});
