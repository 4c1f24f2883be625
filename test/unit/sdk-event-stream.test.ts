import fc from "fast-check";
import { EventParser, type RawEvent } from "../../sdk/event-parser.ts";
import { type StreamEvent, Weft } from "../../sdk/index.ts";
import { neverResponds, problemReply, webService } from "../support/web-service.ts";

describe("the parser of event streams", () => {
  const text = [
    "retry: 700\r\n\r\n",
    ': a comment\n\nid: 1\nevent: step.started\ndata: {"a":1}\n\n',
    "id: 2\rdata: one\rdata:two\r\r",
    "event: nothing\n\n",
    "data\n\n",
    "unknown: x\nid: 3\ndata:  é\n\n",
    "data: never ended",
  ].join("");
  const events: RawEvent[] = [
    { id: "1", event: "step.started", data: '{"a":1}' },
    { id: "2", event: "message", data: "one\ntwo" },
    { id: "2", event: "message", data: "" },
    { id: "3", event: "message", data: " é" },
  ];

  it("returns the same events wherever the text is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 20 }), cuts => {
        const parser = new EventParser();
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        const read = at.slice(1).flatMap((end, index) => parser.push(text.slice(at[index], end)));
        expect(read).toEqual(events);
        expect(parser.retryMs).toBe(700);
      }),
    );
  });

  it("stops at an event that never ends", () => {
    const parser = new EventParser();
    expect(() => Array.from({ length: 20 }, () => parser.push(`data: ${"x".repeat(1_000_000)}\n`))).toThrow(RangeError);
    const line = new EventParser();
    expect(() => Array.from({ length: 20 }, () => line.push("x".repeat(1_000_000)))).toThrow(RangeError);
  });
});

describe("a stream that is followed", () => {
  const event = (id: number) => `id: ${id}\nevent: step.log\ndata: {"seq":${id}}\n\n`;
  /** Of the clock that the test winds on. */
  const MAX_SECONDS = 500;
  const brokenOff = () => Object.assign(new TypeError("terminated"), { cause: new Error("other side closed") });

  /** A response that gives these pieces and then ends, or breaks off. */
  const stream = (pieces: string[], end: "ends" | "breaks" = "ends") =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          const piece = pieces.shift();
          if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
          else if (end === "ends") controller.close();
          else controller.error(brokenOff());
        },
      }),
    );

  /** One that gives this and then nothing more, until it is left. */
  const silentAfter = (piece: string) => (signal: AbortSignal) =>
    Promise.resolve(
      new Response(
        new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(piece));
            signal.addEventListener("abort", () => controller.error(signal.reason));
          },
        }),
      ),
    );

  function following(replies: Parameters<typeof webService>, options: object = {}) {
    const { sent, fetch } = webService(...replies);
    const weft = new Weft({ url: "https://weft.example", token: "t", fetch, workspaceId: "w", spaceId: "s" });
    return { sent, events: weft.executions.events({ id: "e" }, options) };
  }

  async function read(events: AsyncIterable<StreamEvent<{ seq: number }>>) {
    const seen: number[] = [];
    let ended = false;
    const outcome = (async () => {
      for await (const { data } of events) seen.push(data.seq);
    })()
      .then(
        () => undefined,
        (error: unknown) => error,
      )
      .finally(() => (ended = true));
    for (let second = 0; second < MAX_SECONDS && !ended; second++) {
      await new Promise(resolve => setImmediate(resolve));
      await jest.advanceTimersByTimeAsync(1_000);
    }
    return { seen, error: await outcome };
  }

  beforeEach(() => jest.useFakeTimers({ doNotFake: ["queueMicrotask", "nextTick", "setImmediate"] }));
  afterEach(() => jest.useRealTimers());

  it("continues after the last event, whatever ends the connection, until it is complete", async () => {
    const { sent, events } = following([
      stream([event(1), "id: 2\nev", `ent: step.log\ndata: {"seq":2}\n\nid: 3\ndata: {"se`], "breaks"),
      new TypeError("fetch failed"),
      problemReply(503, "unavailable"),
      stream([event(3)]),
      stream([]),
      stream([event(4)]),
      new Response(null, { status: 204 }),
    ]);
    expect(await read(events)).toEqual({ seen: [1, 2, 3, 4], error: undefined });
    expect(sent.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "2", "2", "2", "3", "3", "4"]);
    expect(sent[0]?.headers).toMatchObject({ accept: "text/event-stream", authorization: "Bearer t" });
  });

  it("starts at the given event", async () => {
    const { sent, events } = following([new Response(null, { status: 204 })], { lastEventId: "7" });
    expect(await read(events)).toEqual({ seen: [], error: undefined });
    expect(sent[0]?.headers["last-event-id"]).toBe("7");
  });

  it("ends with a rejection by the service, and after too many failures in a row", async () => {
    const refused = await read(following([stream([event(1)], "breaks"), problemReply(404, "not_found")]).events);
    expect(refused).toMatchObject({ seen: [1], error: { code: "not_found" } });
    const failures = Array.from({ length: 3 }, brokenOff);
    const { sent, events } = following([...failures], { maxRetries: 2 });
    expect((await read(events)).error).toMatchObject({ name: "WeftConnectionError" });
    expect(sent).toHaveLength(3);
  });

  it("leaves a silent connection, and a request without an answer", async () => {
    const { events } = following([
      silentAfter(event(1)),
      neverResponds,
      stream([event(2)]),
      new Response(null, { status: 204 }),
    ]);
    expect(await read(events)).toEqual({ seen: [1, 2], error: undefined });
  });

  it("ends with the reason of its signal", async () => {
    const aborter = new AbortController();
    const { events } = following([silentAfter(event(1))], { signal: aborter.signal });
    const first = await events.next();
    expect(first.value?.data).toEqual({ seq: 1 });
    const second = events.next();
    aborter.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
  });
});
