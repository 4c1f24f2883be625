import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SERVICE_NAMES } from "../../config.ts";
import { Nats } from "./nats.ts";
import { freePort } from "./free-port.ts";
import { logged, type Server, startServer, temporaryFolder, untilReady } from "./server.ts";

const SHIFTED_CLOCK = pathToFileURL(join(process.cwd(), "test/support/shifted-clock.ts")).href;
const SECRET = "a secret for tests that is long enough for anything";
const REST = SERVICE_NAMES.filter(name => name !== "gateway" && name !== "executions").join(",");

type Env = Record<string, string>;

/** The initial number of nodes of each kind. */
export interface Counts {
  gateways: number;
  workers: number;
  rests: number;
}

const isAlive = ({ process: { exitCode, signalCode } }: Server) => exitCode === null && signalCode === null;

/** Several nodes on one store, connected by a NATS server: gateways, workers, and nodes for the other services. */
export class Nodes {
  readonly nats: Nats;
  readonly dataDir: string;
  gateways: Server[] = [];
  workers: Server[] = [];
  /** Nodes with all other services, including the scheduler. */
  rests: Server[] = [];
  private readonly all: Server[] = [];
  private readonly metrics = new WeakMap<Server, string>();

  private constructor(nats: Nats, dataDir: string) {
    this.nats = nats;
    this.dataDir = dataDir;
  }

  static async open(): Promise<Nodes> {
    return new Nodes(await Nats.open(), await temporaryFolder());
  }

  /** Starts this many nodes, and waits until they are ready. */
  static async start({ gateways, workers, rests }: Counts, env: Env = {}): Promise<Nodes> {
    const nodes = await Nodes.open();
    try {
      const times = (count: number, start: () => Promise<Server>) => Array.from({ length: count }, start);
      await Promise.all([
        ...times(rests, () => nodes.rest()),
        ...times(gateways, () => nodes.gateway()),
        ...times(workers, () => nodes.worker(env)),
      ]);
      await nodes.ready();
    } catch (error) {
      await nodes.close();
      throw error;
    }
    return nodes;
  }

  async gateway(): Promise<Server> {
    // At this log level, it logs which nodes it sees.
    const node = await this.node("gateway", { LOG_LEVEL: "info" });
    this.gateways.push(node);
    return node;
  }

  async worker(env: Env = {}): Promise<Server> {
    const node = await this.node("executions", env);
    this.workers.push(node);
    return node;
  }

  /** A node whose clock can be set. See `setClock`. */
  async rest(env: Env = {}): Promise<Server> {
    const clock = { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`, CLOCK_FILE: this.clockFile };
    const node = await this.node(REST, { ...clock, ...env });
    this.rests.push(node);
    return node;
  }

  /** Waits until the first gateway sees this node. */
  async joined(node: Server): Promise<void> {
    const [gateway] = this.gateways;
    if (gateway) await logged(gateway, `-${node.process.pid}-`);
  }

  /** The number of executions that a worker holds, according to its metrics. */
  async heldBy(worker: Server): Promise<number> {
    const page = await fetch(this.metrics.get(worker) ?? "").then(
      answer => answer.text(),
      () => "",
    );
    return Number(/^weft_worker_held (\d+)/m.exec(page)?.[1] ?? 0);
  }

  /** Sets the clocks of the nodes with the scheduler, including later ones, this much ahead. */
  async setClock(aheadMs: number): Promise<void> {
    await writeFile(this.clockFile, String(aheadMs));
    for (const node of this.rests) if (isAlive(node)) node.process.kill("SIGUSR2");
  }

  /** Waits until every gateway reaches all services. */
  async ready(): Promise<void> {
    await Promise.all(this.gateways.map(untilReady));
  }

  /** Kills a node and removes it from its list. */
  async kill(node: Server, signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
    for (const list of [this.gateways, this.workers, this.rests]) {
      const at = list.indexOf(node);
      if (at >= 0) list.splice(at, 1);
    }
    return node.stop(signal);
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map(node => node.stop("SIGKILL")));
    await this.nats.kill();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private get clockFile(): string {
    return join(this.dataDir, "clock");
  }

  private async node(services: string, env: Env = {}): Promise<Server> {
    const metricsPort = await freePort();
    const own = { NATS_URL: this.nats.url, SERVICES: services, JWT_SECRET: SECRET, SECRETS_KEY: SECRET };
    const node = await startServer({
      dataDir: this.dataDir,
      env: { ...own, METRICS_PORT: String(metricsPort), ...env },
      unready: true,
    });
    this.metrics.set(node, `http://127.0.0.1:${metricsPort}/metrics`);
    this.all.push(node);
    return node;
  }
}
