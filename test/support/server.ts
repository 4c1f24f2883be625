import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HANG_MS } from "./hang.ts";
import { freePort } from "./free-port.ts";
import { realServers } from "./real-servers.ts";

// Tests and benchmarks run from the root of the project.
const ROOT = process.cwd();
const RUNNER = join(ROOT, "node_modules/moleculer/bin/moleculer-runner.js");

/** Node's limit for young objects, from the `npm start` script. */
const [HEAP = ""] = /--max-semi-space-size=\d+/.exec(readFileSync("package.json", "utf8")) ?? [];
const ARENAS = { MALLOC_ARENA_MAX: "2" };

/** All processes under test share this cache of compiled code, which saves a third of their start. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), "weft-compile-cache"),
};

export interface Server {
  url: string;
  dataDir: string;
  process: ChildProcess;
  /** Everything that the process has printed so far. */
  log(): string;
  /** Sends a signal and waits for the end of the process. Returns its exit code, or null if the signal killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "weft-test-"));
}

/** Starts the service in its own process, like `npm start` or with `npm start` itself, and waits until it is ready. */
export async function startServer(
  options: {
    dataDir?: string;
    env?: Record<string, string>;
    port?: number;
    throughNpm?: boolean;
    /** Returns at once, for a node that waits for others. This always applies to a node without a gateway. */
    unready?: boolean;
  } = {},
): Promise<Server> {
  const dataDir = options.dataDir ?? (await temporaryFolder());
  const port = options.port ?? (await freePort());
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    HOST: "127.0.0.1",
    PORT: String(port),
    METRICS_PORT: "0",
    DATA_DIR: dataDir,
    RATE_LIMIT_RPS: "100000",
    RATE_LIMIT_BURST: "100000",
    RATE_LIMIT_AUTH_PER_MINUTE: "100000",
    OUTBOUND_ALLOW: "127.0.0.1",
    LOG_LEVEL: "warn",
    ...ARENAS,
    ...COMPILE_CACHE,
    ...realServers(dataDir),
    ...options.env,
  };
  const { throughNpm = false } = options;
  const args = [HEAP, RUNNER, "-c", "moleculer.config.ts", "--mask", "**/*.service.ts", "services"];
  const [command, given] = throughNpm ? ["npm", ["start"]] : ["node", args];
  const child = spawn(command, given, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"], detached: throughNpm });
  let output = "";
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-100_000));
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const exited = once(child, "exit") as Promise<[number | null]>;
  const server: Server = {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    process: child,
    log: () => output,
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null) {
        // npm cannot forward SIGKILL, so it is sent to the whole process group.
        if (throughNpm && signal === "SIGKILL" && child.pid) process.kill(-child.pid, signal);
        else child.kill(signal);
      }
      const [code] = await exited;
      return code;
    },
  };
  const { SERVICES = "gateway" } = options.env ?? {};
  if (SERVICES.includes("gateway") && !options.unready) await untilReady(server);
  return server;
}

/** Waits until a gateway reports that everything it needs is available. */
export async function untilReady(server: Server): Promise<void> {
  const deadline = Date.now() + HANG_MS;
  while (Date.now() < deadline) {
    if (server.process.exitCode !== null) throw new Error(`The server ended:\n${server.log()}`);
    const ready = await fetch(`${server.url}/health/ready`)
      .then(r => r.ok)
      .catch(() => false);
    if (ready) return;
    await sleep(80);
  }
  await server.stop("SIGKILL");
  throw new Error(`The server was not ready in ${HANG_MS} ms:\n${server.log()}`);
}

/** Kills a server, and restarts it with the same data at the same address. */
export async function restarted(server: Server, env: Record<string, string> = {}): Promise<Server> {
  const { dataDir, url } = server;
  await server.stop("SIGKILL");
  return startServer({ env, dataDir, port: Number(new URL(url).port) });
}

/** Stops a server and removes its data. */
export async function removeServer(server: Server | undefined): Promise<void> {
  if (!server) return;
  await server.stop("SIGKILL");
  await rm(server.dataDir, { recursive: true, force: true });
}

/** Waits until the process prints this text. */
export async function logged(server: Server, text: string): Promise<void> {
  const late = AbortSignal.timeout(HANG_MS);
  const { stdout, stderr } = server.process;
  while (!server.log().includes(text)) {
    const either = new AbortController();
    const signal = AbortSignal.any([late, either.signal]);
    const more = [stdout, stderr].map(output => once(output!, "data", { signal }));
    await Promise.race(more)
      .catch(() => {
        throw new Error(`Not printed within ${HANG_MS} ms: ${text}\n${server.log().slice(-5_000)}`);
      })
      .finally(() => either.abort());
  }
}
