import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { BrokerOptions, ServiceBroker } from "moleculer";
import { NatsTransporter } from "./adapters/transport/nats-transporter.ts";
import { config, type Config } from "./config.ts";
import { ConfigError } from "./config/error.ts";
import { jsonLine } from "./config/json-line.ts";
import { MetricsReporter } from "./config/metrics-reporter.ts";
import { notUsedYet } from "./config/not-used-yet.ts";
import { stopOnSignal } from "./config/stop-on-signal.ts";
import { actionMetrics } from "./middlewares/action-metrics.ts";
import { beforeDrain } from "./middlewares/before-drain.ts";
import { middlewares } from "./middlewares/index.ts";

const REQUEST_TIMEOUT_MS = 30_000;
/** A node that is killed is noticed by the next call to it; one that hangs, or is cut off, once it is silent so long. */
const HEARTBEAT_SECONDS = 2;
const SILENT_SECONDS = 5;
/** How long a stopping service waits for the calls that it runs. */
const DRAIN_MS = 4_000;

/** A node that does not answer is given a rest. Errors that it answers would be another node's too. */
const hangs = (error: unknown) => (error as { type?: unknown } | null)?.type === "REQUEST_TIMEOUT";

function logger(level: string): BrokerOptions["logger"] {
  const people = process.stdout.isTTY;
  return {
    type: "Console",
    options: { level, colors: people, formatter: people ? "full" : jsonLine },
  };
}

/** The broker of one node, without anything that touches the process. */
export function brokerOptions(settings: Config): BrokerOptions {
  const { LOG_LEVEL, METRICS_HOST, METRICS_PORT, NATS_URL } = settings;
  const metrics = actionMetrics();
  // Moleculer takes a reporter as it is, though its types only know of names.
  const reporter = new MetricsReporter({ host: METRICS_HOST, port: METRICS_PORT }, [metrics.source]);
  return {
    namespace: "weft",
    nodeID: `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`,
    logger: logger(LOG_LEVEL),
    transporter: NATS_URL ? new NatsTransporter(NATS_URL) : undefined,
    heartbeatInterval: HEARTBEAT_SECONDS,
    heartbeatTimeout: SILENT_SECONDS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // It turns to another node; where there is only this one, it would only add refusals to failures.
    circuitBreaker: { enabled: NATS_URL !== undefined, check: hangs },
    tracking: { enabled: true, shutdownTimeout: DRAIN_MS },
    validator: false,
    internalServices: false,
    // Each costs on every call, so only those that are used are named.
    internalMiddlewares: false,
    // On stopping they are asked from the last to the first.
    middlewares: [
      ...middlewares,
      "ContextTracker",
      beforeDrain,
      "CircuitBreaker",
      "Timeout",
      "ErrorHandler",
      metrics.middleware,
    ],
    metrics: { enabled: METRICS_PORT > 0, reporter: METRICS_PORT > 0 ? (reporter as never) : null },
    skipProcessEventRegistration: true,
  };
}

function settingsOrExit(): Config {
  try {
    return config();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function created(broker: ServiceBroker): void {
  stopOnSignal(broker);
  const warning = notUsedYet(process.env);
  if (warning) broker.logger.warn(warning);
}

/** What moleculer-runner calls for a node's options. */
export default function (this: { servicePaths: string[] }): BrokerOptions {
  const settings = settingsOrExit();
  // The runner reads SERVICES too, and would take the names for paths.
  delete process.env.SERVICES;
  this.servicePaths = settings.SERVICES.map(name => `services/${name}`);
  return { ...brokerOptions(settings), created };
}
