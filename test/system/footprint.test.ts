import { execFileSync } from "node:child_process";
import { removeServer, startServer, type Server } from "../support/server.ts";

const READY_MS = 5_000;
const IDLE_MIB = 250;

const residentMiB = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1_024;

describe("one process with everything embedded", () => {
  let server: Server | undefined;
  afterAll(() => removeServer(server));

  it(`is ready within ${READY_MS / 1_000} s and idles below ${IDLE_MIB} MiB`, async () => {
    // The promise itself is a time, so this is the one place that looks at a clock.
    const began = performance.now();
    server = await startServer();
    expect(performance.now() - began).toBeLessThan(READY_MS);
    expect(residentMiB(server.process.pid ?? 0)).toBeLessThan(IDLE_MIB);
  });
});
