import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** Takes all the room that a file system has, with a file in this folder. */
function diskOf(folder: string): Disk {
  const filler = join(folder, "filler");
  return {
    fill() {
      const file = openSync(filler, "w");
      const page = Buffer.alloc(4096);
      try {
        while (writeSync(file, page) > 0);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
  };
}

async function tellsTheTruth(server: Server, disk: Disk): Promise<void> {
  const api = await register(server.url);
  const kept: string[] = [];
  const write = async (name: string) => {
    const { status, body } = await api.post("/v1/workspaces", { name });
    if (status === 201) kept.push(body.id as string);
    return status;
  };
  expect(await ready(server)).toEqual({ status: 200, store: "ok" });
  disk.fill();
  // The write-ahead log may have some room left, and until it is used up writes do land.
  await until(async () => {
    const status = await write("No room");
    expect([201, 503]).toContain(status);
    return status === 503 && (await ready(server)).store === "down";
  });
  expect(await ready(server)).toEqual({ status: 503, store: "down" });
  // What is there can be read, and the process lives.
  expect((await api.get("/v1/auth/me")).status).toBe(200);
  expect((await new Api(server.url).get("/health/live")).status).toBe(200);
  disk.free();
  await until(async () => (await ready(server)).status === 200);
  expect(await write("Room again")).toBe(201);
  for (const id of kept) expect([id, (await api.get(`/v1/workspaces/${id}`)).status]).toEqual([id, 200]);
}

describe("a service that can no longer write", () => {
  let server: Server | undefined;
  afterEach(() => removeServer(server));

  const limits = works("prlimit", "--version");
  (limits ? it : it.skip)("because of a limit, says that it is not ready, and is again once it can", async () => {
    // On its own folder also where the other suites use servers: the embedded store is what this is about.
    server = await startServer({ env: { MONGODB_URI: "", QDRANT_URL: "" } });
    const limit = (bytes: string) => works("prlimit", "--pid", `${server!.process.pid}`, `--fsize=${bytes}:unlimited`);
    await tellsTheTruth(server, { fill: () => limit("1"), free: () => limit("unlimited") });
  });

  describe("because its file system is full", () => {
    let folder = "";
    let mounted = false;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "weft-full-"));
      mounted = works("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder);
    });
    afterAll(async () => {
      if (mounted) works("umount", "--lazy", folder);
      await rm(folder, { recursive: true, force: true });
    });

    // Only root can mount, and not in every container. In CI root has to.
    (process.getuid?.() === 0 ? it : it.skip)(
      "reports that it is not ready, and is ready again once there is space",
      async () => {
        if (!mounted && process.env.CI === undefined) {
          process.stderr.write("Left out: no file system can be mounted here.\n");
          return;
        }
        expect(mounted).toBe(true);
        server = await startServer({ dataDir: join(folder, "data"), env: { MONGODB_URI: "", QDRANT_URL: "" } });
        await tellsTheTruth(server, diskOf(folder));
      },
    );
  });
});
