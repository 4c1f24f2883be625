import { randomBytes } from "node:crypto";
import { flushCompileCache } from "node:module";
import { hostname } from "node:os";
import type { BrokerOptions, ServiceBroker } from "moleculer";
import { readExceptions } from "./adapters/net/outbound-allow.ts";
import { prefixOf } from "./adapters/search/qdrant/names.ts";
import { connectionOptions, namespaceOf } from "./adapters/transport/connection-options.ts";
import { config, type Config } from "./config.ts";
import { growHeapSlowly, logFaults, stopOnSignal } from "./config/process.ts";
import { VERSION } from "./config/version.ts";
import { beforeDrain } from "./middlewares/before-drain.ts";
import { isHungCall, hungCalls } from "./middlewares/hung-calls.ts";
import { middlewares } from "./middlewares/index.ts";
import { observe } from "./middlewares/observe.ts";
import { startWithoutNats } from "./middlewares/start-without-nats.ts";
import { timeLimit } from "./middlewares/time-limit.ts";
import { jsonLine } from "./telemetry/json-line.ts";
import { metricsPage } from "./telemetry/metrics-page.ts";
import { traces } from "./telemetry/traces.ts";

const REQUEST_TIMEOUT_MS = 30_000;
/**
 * Services that start at about the same time are announced to the other nodes together, after this many milliseconds.
 */
const TELL: BrokerOptions["transit"] & { serviceChangedDebounceTime: number } = { serviceChangedDebounceTime: 50 };
/** The next call notices a killed node. A node that hangs, or is cut off, counts as gone after this silence. */
const HEARTBEAT_SECONDS = 2;
const SILENT_SECONDS = 5;
/** How long a stopping service waits for its running calls. */
const DRAIN_MS = 4_000;

/**
 * When half of an action's calls on a node time out, out of at least this many, other nodes get its calls for a while.
 */
const BREAKER = { threshold: 0.5, minRequestCount: 5, windowTime: 30, halfOpenTime: 10_000, check: isHungCall };
/** Only reads are retried, see contracts/reads.ts. When the node of a call is gone, another node gets the call. */
const RETRY = { enabled: false, retries: 1, delay: 20, maxDelay: 20, factor: 1 };
const isLost = (error: unknown) => (error as { type?: unknown } | null)?.type === "REQUEST_REJECTED";

/** A terminal gets text; other log readers get JSON. */
function logger({ LOG_LEVEL: level, LOG_FORMAT }: Config): BrokerOptions["logger"] {
  const isTerminal = process.stdout.isTTY;
  const format = LOG_FORMAT ?? (isTerminal ? "text" : "json");
  return {
    type: "Console",
    options: { level, colors: isTerminal, formatter: format === "text" ? "full" : jsonLine },
  };
}

/** The broker options of one node. Creating them has no effect on the process. */
export function brokerOptions(settings: Config, transporter?: BrokerOptions["transporter"]): BrokerOptions {
  const { METRICS_HOST: host, METRICS_PORT: port, NATS_URL } = settings;
  const nodeID = `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
  return {
    namespace: NATS_URL ? namespaceOf(NATS_URL) : "",
    nodeID,
    // All nodes see it of each other.
    metadata: { version: VERSION },
    logger: logger(settings),
    transporter,
    heartbeatInterval: HEARTBEAT_SECONDS,
    heartbeatTimeout: SILENT_SECONDS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    transit: TELL,
    // The breaker sends calls to another node. With a single node, it would only add refusals to failures.
    circuitBreaker: { enabled: NATS_URL !== undefined, ...BREAKER },
    retryPolicy: { ...RETRY, check: isLost },
    tracking: { enabled: true, shutdownTimeout: DRAIN_MS },
    validator: false,
    internalServices: false,
    // Each internal middleware costs time on every call, so only the used ones are listed.
    internalMiddlewares: false,
    // On stop they run from the last to the first.
    middlewares: [
      ...middlewares,
      timeLimit,
      // Outside the time limit: a call that timed out on another node may never end, and the stop must not wait for it.
      "ContextTracker",
      beforeDrain,
      hungCalls,
      // Outside the time limit, because it counts the calls that exceed the limit.
      "CircuitBreaker",
      ...(NATS_URL === undefined ? [] : ["Retry"]),
      "ErrorHandler",
      startWithoutNats,
      observe,
      traces(settings, nodeID, VERSION),
      metricsPage({ host, port, version: VERSION }),
    ],
    skipProcessEventRegistration: true,
  };
}

const MISTAKES = ["ConfigError", "MongoAddressError", "NatsAddressError", "OutboundAllowError", "QdrantAddressError"];

/** Loads the NATS client only where it is used. */
async function openTransporter({ NATS_URL }: Config): Promise<BrokerOptions["transporter"]> {
  if (NATS_URL === undefined) return undefined;
  const { NatsTransporter } = await import("./adapters/transport/nats-transporter.ts");
  return new NatsTransporter(NATS_URL);
}

async function settingsOrExit(): Promise<Config> {
  try {
    const settings = config();
    const { MONGODB_URI, NATS_URL, OUTBOUND_ALLOW, QDRANT_URL } = settings;
    readExceptions(OUTBOUND_ALLOW);
    if (NATS_URL) {
      connectionOptions(NATS_URL);
      namespaceOf(NATS_URL);
    }
    if (QDRANT_URL) prefixOf(new URL(QDRANT_URL));
    if (MONGODB_URI) {
      // Loaded only where it is needed, because it brings the MongoDB driver along.
      const { checkMongoAddress } = await import("./adapters/store/mongo/mongo-options.ts");
      checkMongoAddress(MONGODB_URI);
    }
    return settings;
  } catch (error) {
    const { name, message } = error as Error;
    if (!MISTAKES.includes(name)) throw error;
    process.stderr.write(`${message}\n`);
    process.exit(1);
  }
}

function created(broker: ServiceBroker): void {
  logFaults(broker.logger);
  stopOnSignal(broker);
}

/** The options of this process's node. Ends the process with one line when a variable is not valid. */
export async function nodeOptions() {
  const settings = await settingsOrExit();
  const started = () => {
    // Node writes its cache of compiled code when the process exits, which a killed process never does.
    flushCompileCache();
    growHeapSlowly();
  };
  const options = { ...brokerOptions(settings, await openTransporter(settings)), created, started };
  return { options, services: settings.SERVICES };
}
