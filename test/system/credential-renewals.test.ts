import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Api, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { untilEnd } from "../support/follow.ts";
import { Gate } from "../support/ledger.ts";
import { describeWithNats, Nats } from "../support/nats.ts";
import { authorizedCredential, type RotatingTokens, startRotatingTokens } from "../support/rotating-tokens.ts";
import { removeServer, type Server, startServer, temporaryFolder } from "../support/server.ts";
import { until } from "../support/service-node.ts";
import { startTokenGuard, type TokenGuard } from "../support/token-guard.ts";

const SHIFTED_CLOCK = pathToFileURL(join(process.cwd(), "test/support/shifted-clock.ts")).href;
const MINUTE_MS = 60_000;

let tokens: RotatingTokens;
let guard: TokenGuard;
beforeEach(async () => {
  [tokens, guard] = await Promise.all([startRotatingTokens(), startTokenGuard()]);
});
afterEach(() => Promise.all([tokens.close(), guard.close()]));

const calls = (credential: string) => definition([node("call", "http", { url: `${guard.url}/orders`, credential })]);

/** A workspace with an authorized credential, whose first token was used. */
async function prepared({ url }: Server) {
  const { api, space, workspaceId } = await newWorkspace(url);
  const base = `/v1/workspaces/${workspaceId}`;
  const id = await authorizedCredential(api, base, tokens, new URL(guard.url).host);
  expect((await runToEnd(api, space, calls(id))).status).toBe("completed");
  return { api, space, base, id };
}
const statusOf = async (api: Api, space: string, workflowId: string) =>
  (await untilEnd(api, `${space}/executions/${(await start(api, space, workflowId)).id}`)).status;

test("loses no acknowledged change of a credential when the process is killed during a refresh", async () => {
  const env = { WORKER_LEASE_MS: "1000" };
  let server = await startServer({ env });
  try {
    const { api, space, base, id } = await prepared(server);
    const workflowId = await newWorkflow(api, space, calls(id));
    const path = `${base}/credentials`;
    const hosts = [new URL(guard.url).host];
    const make = async (name: string) =>
      (await api.post(path, { name, type: "bearer", hosts, data: { token: "value-000" } })).body.id as string;
    const [changed, deleted] = [await make("Changed"), await make("Deleted")];
    let acknowledged = 0;
    const change = async (by: Api) => {
      for (let next = 1; ; next++) {
        const data = { token: `value-${`${next}`.padStart(3, "0")}` };
        const answer = await by.patch(`${path}/${changed}`, { data }).catch(() => undefined);
        if (answer?.status !== 200) return;
        acknowledged = next;
      }
    };
    let changing = Promise.resolve();
    // Killed before the answer came, and just after it was sent, when the new tokens may be stored or not.
    for (const isAnswered of [false, true]) {
      const before = api.at(server.url);
      guard.forget();
      const [asked, gate] = [new Gate(), new Gate()];
      tokens.beforeAnswer = () => {
        asked.open();
        return isAnswered ? Promise.resolve() : gate.opened;
      };
      if (!isAnswered) {
        changing = change(before);
        await until(() => acknowledged > 5);
        expect((await before.delete(`${path}/${deleted}`)).status).toBe(204);
      }
      const { id: runId } = await start(before, space, workflowId);
      await asked.opened;
      await server.stop("SIGKILL");
      tokens.beforeAnswer = () => Promise.resolve();
      gate.open();
      server = await startServer({ dataDir: server.dataDir, env });
      const now = api.at(server.url);
      expect(await untilEnd(now, `${space}/executions/${runId}`)).toMatchObject({ status: "completed" });
      expect((await now.get(`${path}/${id}`)).body).toMatchObject({ status: "ready", lastError: null });
    }
    expect(tokens.repeats).toBeGreaterThan(0);
    const now = api.at(server.url);
    guard.forget();
    expect(await statusOf(now, space, workflowId)).toBe("completed");
    expect(tokens.isRevoked).toBe(false);

    await changing;
    expect((await now.get(`${path}/${deleted}`)).status).toBe(404);
    expect((await runToEnd(now, space, calls(changed))).status).toBe("completed");
    // The change that was under way may have been stored or not.
    const [, sent] = /^value-(\d{3})$/.exec(guard.tokens.at(-1) ?? "") ?? [];
    expect([acknowledged, acknowledged + 1]).toContain(Number(sent));
  } finally {
    await removeServer(server);
  }
});

describeWithNats("two nodes on one store, one with a clock that is two minutes ahead", () => {
  let nats: Nats;
  let servers: Server[];
  beforeAll(async () => {
    const [opened, dataDir] = await Promise.all([Nats.open(), temporaryFolder()]);
    nats = opened;
    await writeFile(join(dataDir, "clock"), `${2 * MINUTE_MS}`);
    const secret = "a secret for tests that is long enough for anything";
    // On a busy machine no node takes the other one for lost, and repeats its calls.
    const env = { NATS_URL: nats.url, JWT_SECRET: secret, SECRETS_KEY: secret, WORKER_LEASE_MS: "60000" };
    const ahead = { NODE_OPTIONS: `--import=${SHIFTED_CLOCK}`, CLOCK_FILE: join(dataDir, "clock") };
    servers = await Promise.all([startServer({ dataDir, env }), startServer({ dataDir, env: { ...env, ...ahead } })]);
  });
  afterAll(async () => {
    await Promise.all((servers ?? []).map(removeServer));
    await nats?.kill();
  });

  test("that need a new token at the same time share one refresh", async () => {
    const { api, space, id } = await prepared(servers[0]!);
    const workflowId = await newWorkflow(api, space, calls(id));
    guard.forget();
    const [asked, gate] = [new Gate(), new Gate()];
    tokens.beforeAnswer = () => {
      asked.open();
      return gate.opened;
    };
    const refused = guard.refused;
    const all = servers.flatMap(({ url }) => Array.from({ length: 4 }, () => statusOf(api.at(url), space, workflowId)));
    await asked.opened;
    await until(() => guard.refused - refused === all.length);
    gate.open();
    expect(await Promise.all(all)).toEqual(all.map(() => "completed"));
    expect(tokens).toMatchObject({ refreshes: 1, isRevoked: false });
  });
});
