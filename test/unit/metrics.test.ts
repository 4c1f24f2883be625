import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { Errors, ServiceBroker } from "moleculer";
import { MetricsReporter } from "../../config/metrics-reporter.ts";
import { actionMetrics } from "../../middlewares/action-metrics.ts";

interface Page {
  server: { address(): AddressInfo; listening: boolean };
}

function node(port: number) {
  const metrics = actionMetrics();
  const reporter = new MetricsReporter({ host: "127.0.0.1", port }, [metrics.source]);
  const broker = new ServiceBroker({
    namespace: "weft",
    nodeID: "n1",
    logger: false,
    metrics: { enabled: true, reporter: reporter as never },
    internalMiddlewares: false,
    internalServices: false,
    skipProcessEventRegistration: true,
    middlewares: [metrics.middleware],
  });
  const warn = jest.spyOn(broker.logger, "warn");
  return { broker, page: reporter as unknown as Page, warn };
}

describe("the metrics page", () => {
  it("counts and times the calls of each action by their result", async () => {
    const { broker, page } = node(0);
    broker.createService({
      name: "a",
      actions: {
        fine: () => 1,
        refused: () => Promise.reject(new Errors.MoleculerClientError("no", 409)),
        broken: () => Promise.reject(new Error("oh")),
      },
    });
    await broker.start();
    if (!page.server.listening) await once(page.server as never, "listening");
    await broker.call("a.fine");
    await broker.call("a.fine");
    await expect(broker.call("a.refused")).rejects.toThrow("no");
    await expect(broker.call("a.broken")).rejects.toThrow("oh");

    const text = await (await fetch(`http://127.0.0.1:${page.server.address().port}/metrics`)).text();
    const of = (action: string, more = "") => `{namespace="weft",nodeID="n1",action="${action}"${more}}`;
    expect(text).toContain(`weft_action_calls_total${of("a.fine", ',result="ok"')} 2\n`);
    expect(text).toContain(`weft_action_calls_total${of("a.refused", ',result="refused"')} 1\n`);
    expect(text).toContain(`weft_action_calls_total${of("a.broken", ',result="failed"')} 1\n`);
    expect(text).toContain(`weft_action_active${of("a.fine")} 0\n`);
    expect(text).toContain(`weft_action_duration_seconds_bucket${of("a.fine", ',le="+Inf"')} 2\n`);
    expect(text).toContain(`weft_action_duration_seconds_count${of("a.fine")} 2\n`);
    await broker.stop();
    expect(page.server.listening).toBe(false);
  });

  it("costs the process nothing but a warning where its port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { broker, page, warn } = node(port);
    await once(page.server as never, "error");
    expect(warn).toHaveBeenCalledWith(`No metrics on http://127.0.0.1:${port}/metrics: EADDRINUSE`);
    await broker.start();
    await broker.stop();
    other.close();
  });
});
