import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { BrokerOptions, ServiceBroker } from "moleculer";
import { OutboundAllowError, readExceptions } from "./adapters/net/outbound-allow.ts";
import { NatsTransporter } from "./adapters/transport/nats-transporter.ts";
import { config, type Config } from "./config.ts";
import { ConfigError } from "./config/error.ts";
import { stopOnSignal } from "./config/stop-on-signal.ts";
import { VERSION } from "./config/version.ts";
import { beforeDrain } from "./middlewares/before-drain.ts";
import { middlewares } from "./middlewares/index.ts";
import { observe } from "./middlewares/observe.ts";
import { jsonLine } from "./telemetry/json-line.ts";
import { metricsPage } from "./telemetry/metrics-page.ts";
import { traces } from "./telemetry/traces.ts";

const REQUEST_TIMEOUT_MS = 30_000;
/** A node that is killed is noticed by the next call to it; one that hangs, or is cut off, once it is silent so long. */
const HEARTBEAT_SECONDS = 2;
const SILENT_SECONDS = 5;
/** How long a stopping service waits for the calls that it runs. */
const DRAIN_MS = 4_000;

/** A node that does not answer is given a rest. Errors that it answers would be another node's too. */
const hangs = (error: unknown) => (error as { type?: unknown } | null)?.type === "REQUEST_TIMEOUT";

/** People at a terminal read text; whatever else reads logs takes JSON. */
function logger({ LOG_LEVEL: level, LOG_FORMAT }: Config): BrokerOptions["logger"] {
  const isTerminal = process.stdout.isTTY;
  const format = LOG_FORMAT ?? (isTerminal ? "text" : "json");
  return {
    type: "Console",
    options: { level, colors: isTerminal, formatter: format === "text" ? "full" : jsonLine },
  };
}

/** The broker of one node, without anything that touches the process. */
export function brokerOptions(settings: Config): BrokerOptions {
  const { METRICS_HOST: host, METRICS_PORT: port, NATS_URL } = settings;
  const nodeID = `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
  return {
    namespace: "weft",
    nodeID,
    logger: logger(settings),
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
      observe,
      traces(settings, nodeID, VERSION),
      metricsPage({ host, port, version: VERSION }),
    ],
    skipProcessEventRegistration: true,
  };
}

function settingsOrExit(): Config {
  try {
    const settings = config();
    readExceptions(settings.OUTBOUND_ALLOW);
    return settings;
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof OutboundAllowError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function created(broker: ServiceBroker): void {
  stopOnSignal(broker);
}

/** What moleculer-runner calls for a node's options. */
export default function (this: { servicePaths: string[] }): BrokerOptions {
  const settings = settingsOrExit();
  // The runner reads SERVICES too, and would take the names for paths.
  delete process.env.SERVICES;
  this.servicePaths = settings.SERVICES.map(name => `services/${name}`);
  return { ...brokerOptions(settings), created };
}
