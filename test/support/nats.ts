import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { HANG_MS } from "./hang.ts";
import { freePort } from "./free-port.ts";
import { logged, removeServer, startServer } from "./server.ts";

const COMMAND = "nats-server";

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A NATS server for one test, without JetStream. It can be killed, and started again at the same address. */
export class Nats {
  readonly url: string;
  private readonly port: number;
  private readonly args: readonly string[];
  private child: ChildProcess | undefined;

  /** `args` are further arguments of nats-server, such as `--user`. Call `start` afterwards. */
  constructor(port: number, args: readonly string[] = []) {
    this.port = port;
    this.args = args;
    this.url = `nats://127.0.0.1:${port}`;
  }

  static async open(): Promise<Nats> {
    const nats = new Nats(await freePort());
    await nats.start();
    return nats;
  }

  async start(): Promise<void> {
    const child = spawn(COMMAND, ["-a", "127.0.0.1", "-p", String(this.port), ...this.args], { stdio: "ignore" });
    this.child = child;
    for (const deadline = Date.now() + HANG_MS; !(await listens(this.port)); await sleep(10)) {
      if (child.exitCode === null && Date.now() < deadline) continue;
      throw new Error(`${COMMAND} does not listen on port ${this.port}`);
    }
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

/**
 * Defines a suite that needs a NATS server. If none is installed, it fails in CI. Elsewhere a placeholder test replaces
 * it, and its name says what is missing.
 */
export function describeWithNats(name: string, define: () => void): void {
  if (spawnSync(COMMAND, ["--version"]).status === 0) return describe(name, define);
  describe(name, () => {
    if (process.env.CI) {
      test(`takes ${COMMAND}`, () => {
        throw new Error(`${COMMAND} is not installed`);
      });
    } else {
      test(`without ${COMMAND} (apt-get install ${COMMAND}) the suite does not run here: a node keeps trying to connect`, async () => {
        const secret = "a secret that is long enough for anything";
        const env = { NATS_URL: "nats://127.0.0.1:1", JWT_SECRET: secret, SECRETS_KEY: secret };
        const node = await startServer({ env, unready: true });
        await logged(node, "Waiting for NATS");
        expect(await node.stop()).toBe(0);
        await removeServer(node);
      });
    }
  });
}
