import { hint } from "../../contracts/call.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import { openStream } from "../support/event-stream.ts";
import { ID, IDENTITY, OTHER_ID, SPACE_PATH, startGateway, type TestGateway, WORKSPACE } from "../support/gateway.ts";
import { Journal, openStreams } from "../support/journal.ts";

const SESSION_TOKEN = "a-good-token";
const KEY_TOKEN = "a-good-key";
const KEY: Identity = {
  kind: "apiKey",
  userId: IDENTITY.userId,
  keyId: OTHER_ID,
  workspaceId: WORKSPACE,
  role: "admin",
  memberId: ID,
};
const CASES = [
  ["a session", SESSION_TOKEN, (IDENTITY as { sessionId: string }).sessionId],
  ["an API key", KEY_TOKEN, KEY.keyId],
] as const;

let valid: Map<string, Identity>;
let role: "viewer" | "editor" | "admin";
let memberId: string;
let journal: Journal;
let gateway: TestGateway;
let reading: PromiseWithResolvers<void>;
let answer: PromiseWithResolvers<void>;

beforeEach(async () => {
  valid = new Map([
    [SESSION_TOKEN, IDENTITY],
    [KEY_TOKEN, KEY],
  ]);
  [role, memberId] = ["admin", ID];
  [reading, answer] = [Promise.withResolvers(), Promise.withResolvers()];
  journal = new Journal();
  const started = startGateway(
    {
      ...journal.stubs,
      "identity.verify": ({ token }) => valid.get(token) ?? null,
      "workspaces.roleOf": ({ workspaceId }) => (workspaceId === WORKSPACE ? { role, memberId } : { role: null }),
      "identity.apiKeys.remove": async () => {
        [CASES[0][2], CASES[1][2]].forEach(ended);
        // The word of it is there before the answer is.
        await new Promise(resolve => setImmediate(resolve));
        return null;
      },
      "workspaces.list": () => ({ items: [], next: null }),
      "pods.spaces.list": async () => {
        reading.resolve();
        await answer.promise;
        return { items: [], next: null };
      },
    },
    { RATE_LIMIT_BURST: 3, RATE_LIMIT_RPS: 1 },
  );
  gateway = await started;
});
afterEach(async () => {
  jest.restoreAllMocks();
  answer.resolve();
  await gateway.broker.stop();
});

const ended = (credentialId: string) => hint(gateway.broker, "all", "credential.ended", { credentialId });
const ask = (path: string, token: string) => gateway.ask("GET", path, { token });
const slow = (token: string) => ask(`/v1/workspaces/${WORKSPACE}/spaces`, token);

describe.each(CASES)("%s that is ended", (_, token, credentialId) => {
  it("closes its own streams when the event arrives, and no others", async () => {
    journal.append("execution.started");
    const open = (as: string) => openStream(`${gateway.url}${SPACE_PATH}/executions/${ID}/events`, { token: as });
    const streams = new Map(await Promise.all(CASES.map(async ([, as]) => [as, await open(as)] as const)));
    for (const stream of streams.values()) await stream.next();
    // The token would still be good, so it is the word of it alone that closes.
    ended(credentialId);
    expect(await streams.get(token)!.rest()).toEqual([]);
    while (openStreams(gateway) > 1) await new Promise(resolve => setImmediate(resolve));
    journal.append("execution.completed");
    streams.delete(token);
    for (const stream of streams.values()) expect(await stream.rest()).toHaveLength(1);
  });

  it("fails its running requests when the event arrives", async () => {
    const request = slow(token);
    await reading.promise;
    ended("01980000-0000-7000-8000-0000000000ff");
    ended(credentialId);
    expect(await request).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });

  it("still gets the answer to the request that ended it", async () => {
    const path = `/v1/workspaces/${WORKSPACE}/api-keys/${KEY.keyId}`;
    expect((await gateway.ask("DELETE", path, { token })).status).toBe(204);
  });

  it("fails long requests even without the event", async () => {
    const request = slow(token);
    await reading.promise;
    const now = performance.now.bind(performance);
    jest.spyOn(performance, "now").mockImplementation(() => now() + 1_000);
    valid.delete(token);
    answer.resolve();
    expect(await request).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });
});

describe("an API key", () => {
  it("has its own rate limit", async () => {
    const statuses = async (token: string) => {
      const answers = [];
      for (let i = 0; i < 4; i++) answers.push((await ask("/v1/workspaces", token)).status);
      return answers;
    };
    expect(await statuses(KEY_TOKEN)).toEqual([200, 200, 200, 429]);
    expect(await statuses(SESSION_TOKEN)).toEqual([200, 200, 200, 429]);
  });

  it("ends its streams when its creator leaves the workspace, also if the creator comes back", async () => {
    journal.append("execution.started");
    const stream = await openStream(`${gateway.url}${SPACE_PATH}/executions/${ID}/events`, { token: KEY_TOKEN });
    await stream.next();
    memberId = OTHER_ID;
    expect(await stream.rest()).toEqual([]);
    expect(await slow(KEY_TOKEN)).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });
});
