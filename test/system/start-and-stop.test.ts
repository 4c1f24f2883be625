import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { freePort, removeServer, startServer, temporaryFolder, type Server } from "../support/server.ts";

/** Runs `npm start` to its end and gives what it printed and its exit code. */
function start(env: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    execFile("npm", ["start", "--silent"], { env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

describe("starting", () => {
  it("ends with one line that names the variable when a value is bad", async () => {
    expect(await start({ PORT: "http" })).toEqual({
      code: 1,
      stdout: "",
      stderr: 'PORT: "http" is not valid, expected an integer from 0 to 65535\n',
    });
  });

  it("ends with one line when several nodes are meant and the secrets are missing", async () => {
    const { code, stderr } = await start({ NATS_URL: "nats://127.0.0.1:1", JWT_SECRET: "" });
    expect(code).toBe(1);
    expect(stderr).toBe("JWT_SECRET: must be set when NATS_URL is, expected the same secret on every node\n");
  });

  it("logs lines of JSON where nobody watches, and warns of what it does not use", async () => {
    const server = await startServer({ env: { LOG_LEVEL: "info", LLM_MODEL: "any" } });
    try {
      const lines = server.log().trim().split("\n");
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ time: expect.any(String), ns: "weft" });
      const warning = { level: "warn", message: "Set, but not used by this version yet: LLM_MODEL." };
      expect(lines.map(line => JSON.parse(line) as object)).toContainEqual(expect.objectContaining(warning));
    } finally {
      await removeServer(server);
    }
  });
});

describe("stopping", () => {
  let server: Server | undefined;
  afterEach(() => removeServer(server));

  it.each(["SIGTERM", "SIGINT"] as const)("ends with exit code 0 on %s", async signal => {
    server = await startServer();
    expect(await server.stop(signal)).toBe(0);
  });

  it("ends with exit code 0 when npm is what gets the signal", async () => {
    const dataDir = await temporaryFolder();
    const port = await freePort();
    const env = { ...process.env, DATA_DIR: dataDir, HOST: "127.0.0.1", PORT: String(port), METRICS_PORT: "0" };
    const npm = spawn("npm", ["start", "--silent"], { env, stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(npm, "exit");
    await new Promise<void>(resolve => {
      npm.stdout.on("data", chunk => String(chunk).includes("started successfully") && resolve());
    });
    npm.kill("SIGTERM");
    expect((await exited)[0]).toBe(0);
    // The port is free again, so nothing was left running behind npm.
    await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow();
    await rm(dataDir, { recursive: true });
  });
});
