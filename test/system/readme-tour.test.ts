import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/free-port.ts";
import { HANG_MS } from "../support/hang.ts";
import { blocks, read, section } from "../support/markdown.ts";
import { temporaryFolder } from "../support/server.ts";

const STARTS = /npm start/;

/** The tour's service and its terminal, as a reader has them. */
class Reader {
  readonly url: string;
  readonly env: NodeJS.ProcessEnv;
  output = "";
  private service: ChildProcess | undefined;
  private terminal: ChildProcess;

  constructor(port: number, dataDir: string) {
    this.url = `http://127.0.0.1:${port}`;
    const { PATH, HOME } = process.env;
    this.env = {
      PATH,
      HOME,
      HOST: "127.0.0.1",
      PORT: String(port),
      DATA_DIR: dataDir,
      METRICS_PORT: "0",
      LOG_LEVEL: "warn",
    };
    this.terminal = spawn("bash", ["-eu"], { env: { ...this.env, WEFT: this.url }, stdio: ["pipe", "pipe", "pipe"] });
    for (const stream of [this.terminal.stdout, this.terminal.stderr]) {
      stream?.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  /** Runs a block in the second terminal and gives what it printed. */
  async run(code: string, name: string): Promise<string> {
    const from = this.output.length;
    const mark = `[end of ${name}]`;
    this.terminal.stdin?.write(`${code}\necho '${mark}'\n`);
    await this.until(() => this.output.includes(mark), `block ${name}:\n${code}`);
    return this.output.slice(from, this.output.indexOf(mark));
  }

  /** Runs a block that starts the service in the first terminal, after ending the one that runs there. */
  async start(code: string): Promise<void> {
    await this.end("SIGINT");
    this.service = spawn("bash", ["-c", code], { env: this.env, stdio: "ignore", detached: true });
    const { service } = this;
    const ready = () =>
      fetch(`${this.url}/health/ready`)
        .then(({ ok }) => ok)
        .catch(() => false);
    await this.until(async () => service.exitCode === null && (await ready()), "the service");
  }

  private async until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
    const deadline = Date.now() + HANG_MS;
    while (!(await holds())) {
      const { exitCode } = this.terminal;
      if (exitCode !== null || Date.now() > deadline)
        throw new Error(`It did not come to an end: ${what}\n${this.output}`);
      await sleep(25);
    }
  }

  /** As Ctrl-C does: the signal goes to all that the terminal runs. */
  private async end(signal: NodeJS.Signals): Promise<void> {
    const { service } = this;
    if (!service?.pid || service.exitCode !== null || service.signalCode !== null) return;
    const exited = once(service, "exit");
    process.kill(-service.pid, signal);
    await exited;
  }

  async close(): Promise<void> {
    await this.end("SIGKILL");
    this.terminal.kill("SIGKILL");
  }
}

describe("the tour", () => {
  let dataDir: string;
  let reader: Reader;
  beforeAll(async () => {
    dataDir = await temporaryFolder();
    reader = new Reader(await freePort(), dataDir);
  });
  afterAll(async () => {
    await reader.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("works as written, from registration to a finished run that survives a restart", async () => {
    const tour = blocks(section(read("README.md"), "## Five minutes with curl"), "bash");
    expect(tour.filter(code => STARTS.test(code))).toHaveLength(2);
    const printed: string[] = [];
    for (const [index, code] of tour.entries()) {
      if (STARTS.test(code)) await reader.start(code);
      else printed.push(await reader.run(code, String(index)));
    }
    const all = printed.join("");
    expect(all).toContain('{"valid":true,"faults":[]}');
    const events = [...all.matchAll(/^event: (\S+)$/gm)].map(([, event]) => event);
    expect(events[0]).toBe("execution.started");
    expect(events).toContain("execution.suspended");
    expect(events.at(-1)).toBe("execution.completed");

    const [before, tested, after] = printed.slice(-3);
    const output = /text: 'Weft: looks good',\s+released: true,\s+parts: \d+/;
    expect(before).toMatch(output);
    expect(tested).toContain('{"ok":true,"message":"The server answered 200.","status":200');
    expect(all).not.toContain("wfk_");
    expect(after).toMatch(output);
    expect(after).toMatch(/^1 The run started\.$/m);
    expect(after).toMatch(/The run completed\.$/m);
  });
});
