import { execFileSync } from "node:child_process";
import { Api, register } from "../support/api.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { until } from "../support/until.ts";

/** What makes writes fail, and what lets them succeed again. */
interface Disk {
  fill(): void;
  free(): void;
}

const works = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

async function ready(server: Server): Promise<{ status: number; store: string }> {
  const response = await fetch(`${server.url}/health/ready`);
  const { dependencies } = (await response.json()) as { dependencies: { store: string } };
  return { status: response.status, store: dependencies.store };
}

async function tellsTheTruth(server: Server, disk: Disk): Promise<void> {
  const api = await register(server.url);
  expect(await ready(server)).toEqual({ status: 200, store: "ok" });
  disk.fill();
  // The write-ahead log may have some room left, and until it is used up writes do land.
  await until(async () => {
    const { status } = await api.post("/v1/workspaces", { name: "No room" });
    return status === 503 && (await ready(server)).store === "down";
  });
  expect(await ready(server)).toEqual({ status: 503, store: "down" });
  // What is there can be read, and the process lives.
  expect((await api.get("/v1/auth/me")).status).toBe(200);
  expect((await new Api(server.url).get("/health/live")).status).toBe(200);
  disk.free();
  await until(async () => (await ready(server)).status === 200);
  expect((await api.post("/v1/workspaces", { name: "Room again" })).status).toBe(201);
}

describe("a service that can write no more", () => {
  let server: Server | undefined;
  afterEach(() => removeServer(server));

  const limits = works("prlimit", "--version");
  (limits ? it : it.skip)("because of a limit, says that it is not ready, and is again once it can", async () => {
    // On its own folder also where the other suites use servers: the embedded store is what this is about.
    server = await startServer({ env: { MONGODB_URI: "", QDRANT_URL: "" } });
    const limit = (bytes: string) => works("prlimit", "--pid", `${server!.process.pid}`, `--fsize=${bytes}:unlimited`);
    await tellsTheTruth(server, { fill: () => limit("1"), free: () => limit("unlimited") });
  });
});
