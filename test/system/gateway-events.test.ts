import type { Context } from "moleculer";
import type { EventOf } from "../../contracts/events.ts";
import { openStream } from "../support/event-stream.ts";
import { ID, IDENTITY, OTHER_ID, SPACE_PATH, startGateway, type TestGateway, WORKSPACE } from "../support/gateway.ts";
import { Journal, openStreams } from "../support/journal.ts";
import { rawConnection } from "../support/raw-http.ts";

const PATH = `${SPACE_PATH}/executions/${ID}/events`;
const valid = new Set<string>();
let member = true;
let journal: Journal;
let gateway: TestGateway;

beforeEach(async () => {
  journal = new Journal();
  member = true;
  gateway = await startGateway({
    ...journal.stubs,
    "identity.verify": ({ token }) => (valid.has(token) ? IDENTITY : null),
    "workspaces.roleOf": ({ workspaceId }) => ({ role: member && workspaceId === WORKSPACE ? "viewer" : null }),
  });
  valid.add("a-good-token");
});
afterEach(() => gateway.broker.stop());

const open = (options?: { lastEventId?: string; token?: string }) => openStream(gateway.url + PATH, options);
const ids = (events: { id?: string }[]) => events.map(({ id }) => Number(id));
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

async function noStreams(): Promise<void> {
  while (openStreams(gateway) > 0) await new Promise(resolve => setImmediate(resolve));
}

describe("the events of an execution", () => {
  it("equal its log, up to the last entry", async () => {
    journal.append("execution.started");
    journal.append("step.log", "line\nbreak ü");
    journal.append("execution.completed");
    const stream = await open();
    expect(stream.status).toBe(200);
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.headers.get("cache-control")).toBe("no-store");
    expect(stream.headers.get("x-request-id")).toMatch(/./);
    const events = await stream.rest();
    expect(events.map(({ event }) => event)).toEqual(["execution.started", "step.log", "execution.completed"]);
    expect(ids(events)).toEqual([1, 2, 3]);
    expect(events.map(({ data }) => JSON.parse(data) as unknown)).toEqual(journal.entries);
    expect(stream.retry()).toBe(2_000);
  });

  it("are read page by page, each once", async () => {
    for (let i = 0; i < 450; i++) journal.append("step.log");
    journal.append("execution.failed");
    expect(ids(await (await open()).rest())).toEqual(upTo(451));
  });

  it("continue after the last seen event", async () => {
    for (let i = 0; i < 5; i++) journal.append("step.log");
    const first = await open();
    const seen = [await first.next(), await first.next()];
    first.leave();
    journal.append("execution.cancelled");
    const second = await open({ lastEventId: seen[1]!.id });
    expect(ids([...(seen as { id?: string }[]), ...(await second.rest())])).toEqual(upTo(6));
  });

  it("are empty for a client that has seen the last one", async () => {
    journal.append("execution.started");
    journal.append("execution.completed");
    for (const lastEventId of ["2", "7"]) expect(await open({ lastEventId })).toMatchObject({ status: 204 });
  });

  it.each(["", "x", "-1", "1.5", "1e3", "9".repeat(20)])("reject an invalid position: %s", async lastEventId => {
    const answer = await gateway.ask("GET", PATH, { headers: { "last-event-id": lastEventId } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "Last-Event-ID" }] } });
  });

  // Twenty polls would take twenty seconds.
  it("arrive as soon as a hint arrives", async () => {
    journal.append("execution.started");
    const stream = await open();
    expect(await stream.next()).toMatchObject({ id: "1" });
    for (const seq of upTo(20, 2)) {
      journal.append("step.log");
      journal.hint(gateway);
      expect(await stream.next()).toMatchObject({ id: `${seq}` });
    }
    stream.leave();
  }, 10_000);

  it("arrive without a hint too", async () => {
    const stream = await open();
    journal.append("execution.started");
    expect(await stream.next()).toMatchObject({ id: "1" });
    journal.append("execution.completed");
    expect(ids(await stream.rest())).toEqual([2]);
  });

  it("are read from the worker that runs it", async () => {
    const watched = new Promise<EventOf<"execution.watched">>(resolve => {
      gateway.broker.createService({
        name: "listener",
        events: { "execution.watched": { handler: (ctx: { params: unknown }) => resolve(ctx.params as never) } },
      });
    });
    const stream = await open();
    expect(await watched).toEqual({ executionId: ID, forMs: 15_000 });
    stream.leave();
  });
});

describe("who may follow", () => {
  const plain = (path: string, token?: string) => gateway.ask("GET", path, { token: token ?? null });

  it("is checked before any event is sent", async () => {
    expect(await plain(PATH)).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
    const stranger = await plain(PATH.replace(WORKSPACE, OTHER_ID), "a-good-token");
    expect(stranger).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await plain(PATH.replace(ID, "x"), "a-good-token")).toMatchObject({ status: 404 });
    expect(await plain(`${PATH}?after=1`, "a-good-token")).toMatchObject({ status: 400 });
    expect(openStreams(gateway)).toBe(0);
  });

  it("is checked again, so a removed member gets no more events", async () => {
    journal.append("execution.started");
    const stream = await open();
    await stream.next();
    member = false;
    expect(await stream.rest()).toEqual([]);
  });

  it("is checked again, so an ended session gets no more events", async () => {
    valid.add("short-lived");
    journal.append("execution.started");
    const stream = await open({ token: "short-lived" });
    await stream.next();
    valid.delete("short-lived");
    expect(await stream.rest()).toEqual([]);
  });

  it("is limited, so that one caller cannot use all streams of the gateway", async () => {
    const streams = await Promise.all(Array.from({ length: 100 }, () => open()));
    const refused = await gateway.ask("GET", PATH);
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(refused.headers.get("retry-after")).toBe("5");
    streams.forEach(stream => stream.leave());
    await noStreams();
    const again = await open();
    expect(again.status).toBe(200);
    again.leave();
  });
});

describe("a stream", () => {
  it("ends when its client leaves", async () => {
    const stream = await open();
    expect(openStreams(gateway)).toBe(1);
    stream.leave();
    await noStreams();
  });

  it("reads no faster than its client", async () => {
    for (let i = 0; i < 299; i++) journal.append("step.log", "x".repeat(65_536));
    journal.append("execution.completed");
    const { socket, text, until } = rawConnection(gateway.port);
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a-good-token\r\n\r\n`);
    await until(/id: 1\n/);
    socket.pause();
    for (let i = 0; i < 20; i++) await gateway.ask("GET", "/health/live");
    expect(journal.reads).toBe(1);
    socket.resume();
    await until(/event: execution.completed/);
    expect([...text().matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual(upTo(300));
    socket.destroy();
  });

  it("shares one warning with other streams if the log cannot be read", async () => {
    const { logger } = gateway.broker.getLocalService("gateway");
    const warn = jest.spyOn(logger, "warn");
    journal.append("execution.started");
    const streams = await Promise.all([open(), open(), open()]);
    for (const stream of streams) await stream.next();
    journal.away = true;
    journal.append("execution.completed");
    const enough = journal.reads + 2 * streams.length;
    while (journal.reads < enough) {
      journal.hint(gateway);
      await new Promise(resolve => setImmediate(resolve));
    }
    journal.away = false;
    for (const stream of streams) expect(ids(await stream.rest())).toEqual([2]);
    expect(warn.mock.calls).toEqual([[expect.stringMatching("could not be read"), expect.any(Error)]]);
  });

  it("survives a short outage of a service", async () => {
    let away = true;
    const { "executions.logs": logs, "executions.progress": progress } = journal.stubs;
    journal.append("execution.started");
    const stream = await open();
    await stream.next();
    const service = gateway.broker.getLocalService("executions");
    await gateway.broker.destroyService(service);
    journal.append("execution.completed");
    const back = gateway.broker.createService({
      name: "executions",
      actions: {
        progress: { handler: (ctx: Context) => progress?.(ctx.params as never, ctx as never) },
        logs: {
          handler: (ctx: Context) => {
            if (!away) return logs?.(ctx.params as never, ctx as never);
            away = false;
            throw new Error("not yet");
          },
        },
      },
    });
    await gateway.broker.waitForServices("executions");
    expect(ids(await stream.rest())).toEqual([2]);
    expect(away).toBe(false);
    await gateway.broker.destroyService(back);
  });
});
