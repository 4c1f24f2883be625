import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { freePort } from "../support/free-port.ts";
import { COMPILE_CACHE, removeServer, startServer, temporaryFolder } from "../support/server.ts";

/** Runs `npm start` to its end and gives what it printed and its exit code. */
function start(env: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    execFile(
      "npm",
      ["start", "--silent"],
      { env: { ...process.env, ...COMPILE_CACHE, ...env } },
      (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      },
    );
  });
}

const secret = "s".repeat(32);

describe("starting", () => {
  it("exits with one line that names the variable when a value is invalid, or when a cluster has no configured secrets", async () => {
    const [bad, missing, forbidden] = await Promise.all([
      start({ PORT: "http" }),
      start({ NATS_URL: "nats://127.0.0.1:1", JWT_SECRET: "" }),
      start({ OUTBOUND_ALLOW: "127.1", JWT_SECRET: secret, SECRETS_KEY: secret }),
    ]);
    const stderr = 'PORT: "http" is not valid, expected an integer from 0 to 65535\n';
    expect(bad).toEqual({ code: 1, stdout: "", stderr });
    expect(missing.code).toBe(1);
    expect(missing.stderr).toBe("JWT_SECRET: must be set when NATS_URL is, expected the same secret on every node\n");
    expect(forbidden).toMatchObject({ code: 1, stdout: "" });
    expect(forbidden.stderr).toMatch(/^OUTBOUND_ALLOW: "127\.1" is not a host name.*\n$/);
  });

  it("logs JSON lines without a terminal, and text on request", async () => {
    const [json, text] = await Promise.all([
      startServer({ env: { LOG_LEVEL: "info" } }),
      startServer({ env: { LOG_LEVEL: "info", LOG_FORMAT: "text" } }),
    ]);
    try {
      const lines = json.log().trim().split("\n");
      const fields = { time: expect.any(String), node: expect.any(String), service: expect.any(String) };
      for (const line of lines) expect(JSON.parse(line)).toMatchObject(fields);
      expect(text.log()).toMatch(/^\[[^\]]+\] INFO .*Service 'gateway' started\.$/m);
    } finally {
      await Promise.all([removeServer(json), removeServer(text)]);
    }
  });
});

describe("stopping", () => {
  it("ends with exit code 0 on SIGTERM and SIGINT", async () => {
    const codes = (["SIGTERM", "SIGINT"] as const).map(async signal => {
      const server = await startServer();
      try {
        return await server.stop(signal);
      } finally {
        await removeServer(server);
      }
    });
    expect(await Promise.all(codes)).toEqual([0, 0]);
  });

  it("ends with exit code 0 when npm gets the signal", async () => {
    const dataDir = await temporaryFolder();
    const port = await freePort();
    const env = {
      ...process.env,
      ...COMPILE_CACHE,
      DATA_DIR: dataDir,
      HOST: "127.0.0.1",
      PORT: String(port),
      METRICS_PORT: "0",
    };
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
