import { rm } from "node:fs/promises";
import { Nats } from "./nats.ts";
import { logged, type Server, startServer, temporaryFolder, untilReady } from "./server.ts";

/** Several nodes on one store that talk through a NATS server: two gateways, two workers, and one for the rest. */
export class Nodes {
  readonly nats: Nats;
  readonly dataDir: string;
  gateways: Server[] = [];
  workers: Server[] = [];
  private readonly all: Server[] = [];

  private constructor(nats: Nats, dataDir: string) {
    this.nats = nats;
    this.dataDir = dataDir;
  }

  static async open(): Promise<Nodes> {
    return new Nodes(await Nats.open(), await temporaryFolder());
  }

  /** All five, ready. */
  static async start(env: Record<string, string> = {}): Promise<Nodes> {
    const nodes = await Nodes.open();
    try {
      await Promise.all([nodes.rest(), ...[1, 2].map(() => nodes.gateway()), ...[1, 2].map(() => nodes.worker(env))]);
      await nodes.ready();
    } catch (error) {
      await nodes.close();
      throw error;
    }
    return nodes;
  }

  async gateway(): Promise<Server> {
    // It says which nodes it sees.
    const node = await this.node("gateway", { LOG_LEVEL: "info" });
    this.gateways.push(node);
    return node;
  }

  async worker(env: Record<string, string> = {}): Promise<Server> {
    const node = await this.node("executions", env);
    this.workers.push(node);
    return node;
  }

  /** Waits until the first gateway calls this node too. */
  async joined(node: Server): Promise<void> {
    const [gateway] = this.gateways;
    if (gateway) await logged(gateway, `-${node.process.pid}-`);
  }

  rest(): Promise<Server> {
    return this.node(
      "identity,workspaces,pods,workflows,schedules,webhooks,notifications,models,memory,knowledge,mcp,idempotency,audit",
    );
  }

  /** Waits until every gateway reaches all services. */
  async ready(): Promise<void> {
    await Promise.all(this.gateways.map(untilReady));
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map(node => node.stop("SIGKILL")));
    await this.nats.kill();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async node(services: string, env: Record<string, string> = {}): Promise<Server> {
    const secret = "a secret for tests that is long enough for anything";
    const own = { NATS_URL: this.nats.url, SERVICES: services, JWT_SECRET: secret, SECRETS_KEY: secret };
    const node = await startServer({ dataDir: this.dataDir, env: { ...own, ...env }, unready: true });
    this.all.push(node);
    return node;
  }
}
