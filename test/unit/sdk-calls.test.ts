import { sessionToken, type SignedIn, Weft, WeftConnectionError, WeftError } from "../../sdk/index.ts";
import { jsonReply, neverResponds, problemReply, webService } from "../support/web-service.ts";

const SCOPE = { workspaceId: "w", spaceId: "s" };
const SPACE = "https://weft.example/v1/workspaces/w/spaces/s";
const unreachable = () => Object.assign(new TypeError("fetch failed"), { cause: new Error("ECONNREFUSED") });

function client(...replies: Parameters<typeof webService>) {
  const { sent, fetch } = webService(...replies);
  return { sent, weft: new Weft({ url: "https://weft.example", token: "t", fetch, ...SCOPE }) };
}

/** What a call gives or throws, with all waits between its tries over at once. */
async function settled<T>(call: PromiseLike<T>): Promise<T | WeftError | WeftConnectionError> {
  const outcome = Promise.resolve(call).catch((error: WeftError) => error);
  await jest.runAllTimersAsync();
  return outcome;
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ["queueMicrotask", "nextTick"] }));
afterEach(() => jest.useRealTimers());

describe("a request", () => {
  it("puts each field where the route expects it", async () => {
    const { sent, weft } = client(jsonReply([]), jsonReply({}), jsonReply({}), jsonReply({}), jsonReply("ok", 202));
    await weft.workflows.list({ starred: true, limit: 2 });
    await weft.workflows.update({ id: "a/b", name: "N", ifMatch: '"1"' });
    await weft.executions.start({ workflowId: "f", input: null, waitMs: 1_500 });
    await weft.workflows.import({ spaceId: "other", document: [1] });
    expect(await weft.webhooks.trigger({ id: "h", secret: "x", input: { a: 1 } })).toBe("ok");
    expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["GET", `${SPACE}/workflows?starred=true&limit=2`, undefined],
      ["PATCH", `${SPACE}/workflows/a%2Fb`, '{"name":"N"}'],
      ["POST", `${SPACE}/executions`, '{"workflowId":"f","input":null}'],
      ["POST", "https://weft.example/v1/workspaces/w/spaces/other/workflows/import", "[1]"],
      ["POST", "https://weft.example/v1/webhooks/h/trigger", '{"a":1}'],
    ]);
    expect(sent[1]?.headers["if-match"]).toBe('"1"');
    expect(sent[2]?.headers.prefer).toBe("wait=2");
    expect(sent[4]?.headers["x-webhook-secret"]).toBe("x");
  });

  it("writes several words of a query with commas, and structured values as JSON", async () => {
    const { sent, weft } = client(jsonReply([]));
    await weft.executions.steps({ id: "r", under: [{ nodeId: "a,b", index: 1 }], status: ["failed", "running"] });
    const query = new URL(sent[0]!.url).searchParams;
    expect(Object.fromEntries(query)).toEqual({ under: '[{"nodeId":"a,b","index":1}]', status: "failed,running" });
  });

  it.each([
    ["an id is missing", (weft: Weft) => weft.workflows.get({ id: "" }), /id is missing/],
    ["an id would change the path", (weft: Weft) => weft.workflows.get({ id: ".." }), /id is not an id/],
    ["what is to be deleted is not named", (weft: Weft) => weft.workspaces.remove(), /workspaceId is missing/],
  ])("is not sent if %s", async (_, call, message) => {
    const { sent, weft } = client();
    await expect(call(weft)).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });

  it("requires an http or https URL", () => {
    expect(() => new Weft({ url: "file:///etc" })).toThrow("expected http:// or https://");
  });
});

describe("an answer", () => {
  it("contains its tag, its request id and whether it was repeated", async () => {
    const headers = { etag: '"2"', "x-request-id": "r-2", "idempotent-replayed": "true" };
    const { weft } = client(jsonReply({ id: "f" }, 201, headers));
    const answer = await weft.workflows.create({ name: "N" }).withResponse();
    expect(answer).toMatchObject({ data: { id: "f" }, etag: '"2"', requestId: "r-2", replayed: true, status: 201 });
  });

  it("is read page by page, as far as needed", async () => {
    const next = { link: `<https://elsewhere.example/x?limit=1&cursor=c%2F1>; rel="next"` };
    const { sent, weft } = client(
      jsonReply([{ id: "1" }], 200, next),
      jsonReply([{ id: "2" }]),
      jsonReply([{ id: "1" }], 200, next),
    );
    const ids: string[] = [];
    for await (const { id } of weft.workflows.list({ limit: 1 })) ids.push(id);
    expect(ids).toEqual(["1", "2"]);
    expect(sent[1]?.url).toBe(`${SPACE}/workflows?limit=1&cursor=c%2F1`);
    for await (const { id } of weft.workflows.list()) if (id === "1") break;
    expect(sent).toHaveLength(3);
  });

  it("is an error with all details if it is a problem", async () => {
    const errors = [{ path: "name", message: "too short" }];
    const body = { status: 400, code: "validation_failed", title: "T", detail: "D", requestId: "r-3", errors };
    const error = await client(jsonReply(body, 400))
      .weft.workflows.create({ name: "" })
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(WeftError);
    expect(error).toMatchObject({
      message: "D (name: too short)",
      detail: "D",
      status: 400,
      code: "validation_failed",
      requestId: "r-3",
      errors,
    });
  });

  it("names three faults and counts the others in its message", async () => {
    const errors = ["a", "b", "", "d", "e"].map(path => ({ path: path && `/${path}`, message: "Is needed" }));
    const { weft } = client(
      jsonReply({ status: 400, code: "validation_failed", title: "T", detail: "D", errors }, 400),
    );
    const message = "D (/a: Is needed; /b: Is needed; body: Is needed; 2 more)";
    await expect(weft.workflows.create({ name: "" })).rejects.toThrow(message);
  });

  it("is an error if it does not come from the service", async () => {
    const page = (status: number) =>
      new Response("<h1>Hello</h1>", { status, headers: { "content-type": "text/html" } });
    const { weft } = client(page(403), page(200));
    await expect(weft.identity.me()).rejects.toMatchObject({ status: 403, code: "http_403" });
    await expect(weft.identity.me()).rejects.toThrow("does not answer as Weft does");
  });
});

describe("a transient failure", () => {
  it.each<[string, () => Response | Error]>([
    ["the network", unreachable],
    ["502", () => new Response("", { status: 502 })],
    ["503", () => problemReply(503, "unavailable")],
    ["504", () => new Response("", { status: 504 })],
    ["429", () => problemReply(429, "rate_limited", { "retry-after": "3" })],
    ["a first try that is still worked on", () => problemReply(409, "idempotency_in_progress", { "retry-after": "1" })],
  ])("is retried under the same key: %s", async (_, failure) => {
    const { sent, weft } = client(failure(), failure(), jsonReply({ id: "f" }, 201));
    expect(await settled(weft.workflows.create({ name: "N" }))).toEqual({ id: "f" });
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  it("is retried a limited number of times", async () => {
    const { sent, weft } = client(...Array.from({ length: 4 }, unreachable));
    const error = await settled(weft.identity.me());
    expect(error).toBeInstanceOf(WeftConnectionError);
    expect((error as WeftConnectionError).cause).toMatchObject({ message: "ECONNREFUSED" });
    expect(sent).toHaveLength(4);
  });

  it("waits as long as the service says, unless that is too long", async () => {
    const { sent, weft } = client(problemReply(429, "rate_limited", { "retry-after": "20" }), jsonReply({}));
    const call = weft.identity.me();
    await jest.advanceTimersByTimeAsync(19_900);
    expect(sent).toHaveLength(1);
    await settled(call);
    expect(sent).toHaveLength(2);
    const busy = client(problemReply(429, "rate_limited", { "retry-after": "600" }));
    expect(await settled(busy.weft.identity.me())).toMatchObject({ retryAfterMs: 600_000 });
  });

  it("is reported at once when a repetition could perform the request twice", async () => {
    const answer = { id: "e", approved: true };
    for (const failure of [unreachable(), new Response("", { status: 503 })]) {
      const { sent, weft } = client(failure);
      expect(await settled(weft.executions.respond(answer))).toBeInstanceOf(Error);
      expect(sent).toHaveLength(1);
    }
    const turnedAway = client(problemReply(429, "rate_limited"), jsonReply({}));
    expect(await settled(turnedAway.weft.executions.respond(answer))).toEqual({});
  });

  it.each([400, 401, 403, 404, 409, 412, 500])("does not include the status %d", async status => {
    const { sent, weft } = client(problemReply(status, "some_code"));
    expect(await settled(weft.workflows.create({ name: "N" }))).toMatchObject({ status });
    expect(sent).toHaveLength(1);
  });
});

describe("the time of a request", () => {
  it("is limited for each attempt", async () => {
    jest.useRealTimers();
    const { sent, weft } = client(neverResponds, neverResponds);
    const error = await weft.identity.me(undefined, { timeoutMs: 5, maxRetries: 1 }).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: "WeftConnectionError", timedOut: true });
    expect(sent).toHaveLength(2);
  });

  it("is controlled by the caller: a signal ends a request and a wait with its reason", async () => {
    const { weft } = client(neverResponds, unreachable());
    for (let round = 0; round < 2; round++) {
      const aborter = new AbortController();
      const call = weft.identity.me(undefined, { signal: aborter.signal }).catch((e: unknown) => e);
      await jest.advanceTimersByTimeAsync(1);
      aborter.abort(new Error("enough"));
      expect(await call).toEqual(new Error("enough"));
    }
  });
});

describe("the token of a sign-in", () => {
  const signedIn = (accessToken: string, lifeMs: number) =>
    ({
      accessToken,
      refreshToken: `r-${accessToken}`,
      expiresAt: new Date(Date.now() + lifeMs).toISOString(),
    }) as SignedIn;

  it("is renewed once for concurrent calls, before it expires, and stored", async () => {
    const { sent, weft } = client(
      jsonReply(signedIn("new", 900_000)),
      ...Array.from({ length: 3 }, () => jsonReply({})),
    );
    const kept: string[] = [];
    const token = sessionToken(
      weft.with({ token: undefined }),
      signedIn("old", 1_000),
      s => void kept.push(s.accessToken),
    );
    const mine = weft.with({ token });
    await Promise.all([mine.identity.me(), mine.identity.me(), mine.identity.me()]);
    expect(kept).toEqual(["new"]);
    expect(sent[0]).toMatchObject({ url: "https://weft.example/v1/auth/refresh", body: '{"refreshToken":"r-old"}' });
    expect(sent.slice(1).map(({ headers }) => headers.authorization)).toEqual(Array(3).fill("Bearer new"));
  });

  it("is renewed once when the service rejects it", async () => {
    const refusal = () => problemReply(401, "unauthenticated");
    const { sent, weft } = client(refusal(), jsonReply(signedIn("new", 900_000)), refusal());
    const mine = weft.with({ token: sessionToken(weft.with({ token: undefined }), signedIn("old", 900_000)) });
    expect(await settled(mine.identity.me())).toMatchObject({ code: "unauthenticated" });
    expect(sent).toHaveLength(3);
  });
});
