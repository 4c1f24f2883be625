import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Middleware, ServiceBroker } from "moleculer";
import { exposition } from "./exposition.ts";
import { gauge, counter } from "./instruments.ts";
import { performance } from "node:perf_hooks";

// Not imported, see services/gateway/http/http-server.ts.
const { createServer } = process.getBuiltinModule("node:http");

const cpu = counter("process_cpu_seconds_total");
const resident = gauge("process_resident_memory_bytes");
const started = gauge("process_start_time_seconds");
const heap = gauge("nodejs_heap_used_bytes");
const active = counter("weft_event_loop_active_seconds_total");

/** Updates the metrics of the process. Totals count from its start, so the interval between updates does not matter. */
export function measureProcess(): void {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  cpu().set((user + system) / 1_000_000);
  resident().set(rss);
  heap().set(heapUsed);
  started().set(performance.timeOrigin / 1_000);
  active().set(performance.eventLoopUtilization().active / 1_000);
}

interface Options {
  host: string;
  /** 0 means no page. */
  port: number;
  version: string;
}

const PATH = "/metrics";
const TYPE = "text/plain; version=0.0.4; charset=utf-8";
/** Few clients request the page, and it is sent in one piece. */
const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 32;

function answer({ url, method }: IncomingMessage, res: ServerResponse): void {
  if (url?.split("?", 1)[0] !== PATH) return void res.writeHead(404).end();
  if (method !== "GET") return void res.writeHead(405, { Allow: "GET" }).end();
  measureProcess();
  res.writeHead(200, { "Content-Type": TYPE }).end(exposition());
}

function open(broker: ServiceBroker, { host, port }: Options): Promise<Server> {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, answer);
  server.maxConnections = MAX_CONNECTIONS;
  // Ends the connection of a client that does not read its response.
  server.setTimeout(TIMEOUT_MS);
  return new Promise(resolve => {
    server.on("error", (error: NodeJS.ErrnoException) => {
      broker.logger.warn(`No metrics on http://${host}:${port}${PATH}: ${error.code ?? error.message}`);
      resolve(server);
    });
    server.listen(port, host, () => resolve(server));
  });
}

/** The page for Prometheus, on its own port. If the port is unavailable, the process logs a warning and continues. */
export function metricsPage(options: Options): Middleware {
  let server: Server | undefined;
  return {
    name: "metrics-page",
    async starting(broker: ServiceBroker) {
      gauge("weft_build_info")(options.version).set(1);
      if (options.port > 0) server = await open(broker, options);
    },
    async stopped() {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (!server?.listening) return;
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
}
