import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { removeServer, startServer, type Server } from "../support/server.ts";

const READY_MS = 5_000;
const IDLE_MIB = 250;

const residentMiB = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1_024;

/** For how long the threads of a process, as far as the kernel tells, were ready to run and had no processor. */
function waitedMs(pid: number): number {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return 0;
  const waits = readdirSync(threads).map(thread => {
    try {
      return Number(readFileSync(`${threads}/${thread}/schedstat`, "utf8").split(" ")[1]);
    } catch {
      // It has ended, or this kernel does not count.
      return 0;
    }
  });
  return waits.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

describe("one process with everything embedded", () => {
  let server: Server | undefined;
  afterAll(() => removeServer(server));

  it(`is ready within ${READY_MS / 1_000} s and idles below ${IDLE_MIB} MiB`, async () => {
    // The promise itself is a time, so this is the one place that looks at a clock.
    const [began, before] = [performance.now(), waitedMs(process.pid)];
    server = await startServer();
    const tookMs = performance.now() - began;
    const pid = server.process.pid ?? 0;
    // While others have the processors, neither the server nor what waits for it can do anything.
    const othersMs = waitedMs(pid) + waitedMs(process.pid) - before;
    expect(tookMs - othersMs).toBeLessThan(READY_MS);
    expect(residentMiB(pid)).toBeLessThan(IDLE_MIB);
  });
});
