import { execFile } from "node:child_process";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type ConformanceTask, runConformanceTask } from "../support/mcp-conformance-client.ts";
import { closeAll, closers, serve } from "../support/outbound.ts";
import expectedFailures from "./conformance-expected.json" with { type: "json" };

afterAll(closeAll);

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO";
  errorMessage?: string;
}

const ROOT = join(__dirname, "../..");
const BIN = join(ROOT, "node_modules/.bin");
const SUITE = join(ROOT, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const COMMAND = `node --disable-warning=ExperimentalWarning ${join(ROOT, "test/support/mcp-conformance-command.ts")}`;

/** How long a busy machine takes to reconnect says nothing about the client; that it is not too early does. */
const isLate = ({ id, errorMessage = "" }: Check) => id === "client-sse-retry-timing" && /very late/.test(errorMessage);

/** The official suite's client scenarios, each against our client: what it checked, by scenario. */
async function conformance(): Promise<Map<string, Check[]>> {
  const client = await serve((request, response) => {
    const answer = async () => runConformanceTask(JSON.parse(await text(request)) as ConformanceTask);
    answer().then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const folder = await mkdtemp(join(tmpdir(), "weft-conformance-"));
  closers.push(() => rm(folder, { recursive: true }));
  const words = [SUITE, "client", "--suite", "all", "--command", COMMAND, "--output-dir", folder];
  await new Promise<void>(resolve => {
    execFile(
      join(BIN, "node"),
      words,
      {
        cwd: folder,
        env: { ...process.env, PATH: `${BIN}:${process.env.PATH}`, WEFT_CONFORMANCE_URL: client.url },
        timeout: 60_000,
        maxBuffer: 10 * 1024 * 1024,
      },
      () => resolve(),
    );
  });
  const found = new Map<string, Check[]>();
  for await (const path of glob("**/checks.json", { cwd: folder })) {
    const scenario = path.replace(/-\d{4}-\d\d-\d\dT[^/]*\/checks\.json$/, "");
    found.set(scenario, JSON.parse(await readFile(join(folder, path), "utf8")) as Check[]);
  }
  return found;
}

test("the official suite reports exactly the expected failures of the client", async () => {
  const found = await conformance();
  expect([...found.keys()]).toEqual(
    expect.arrayContaining(["initialize", "tools_call", ...Object.keys(expectedFailures)]),
  );
  // A scenario in which the client did nothing has checked nothing.
  const failed = [...found].filter(
    ([, checks]) =>
      checks.every(({ status }) => status !== "SUCCESS") ||
      checks.some(check => check.status === "FAILURE" && !isLate(check)),
  );
  expect(failed.map(([scenario]) => scenario).sort()).toEqual(Object.keys(expectedFailures).sort());
}, 90_000);

test("every expected failure has an explanation", () => {
  for (const explanation of Object.values(expectedFailures)) expect(explanation.length).toBeGreaterThan(40);
});
