import { globSync, readFileSync } from "node:fs";
import { type Context, Errors, ServiceBroker } from "moleculer";
import { ACTIONS } from "../../contracts/actions.ts";
import { handle, READS } from "../../contracts/call.ts";
import type { ActionContract } from "../../contracts/define-action.ts";
import { ROUTES } from "../../contracts/routes.ts";
import { brokerOptions } from "../../broker-options.ts";
import { config } from "../../config.ts";
import { ownDataDir } from "../support/service-node.ts";

ownDataDir();

const USUAL_MS = 30_000;
/** The middlewares that see the time of a call. The others ask what the contract of an action says. */
const KEPT = new Set(["hung-calls", "time-limit"]);

describe("a call from node to node", () => {
  let broker: ServiceBroker;
  /** Whether the actions answer. */
  let hang = true;
  /** Time limits that the handlers saw. */
  let limits: unknown[] = [];

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "hrtime", "performance"] });
    hang = true;
    limits = [];
    const options = brokerOptions({ ...config(), NATS_URL: "nats://127.0.0.1:1" });
    const middlewares = (options.middlewares ?? []).filter(
      one => typeof one === "string" || KEPT.has((one as { name?: string }).name ?? ""),
    );
    broker = new ServiceBroker({ ...options, middlewares, transporter: null, logger: false });
    const answer = (ctx: Context) => {
      limits.push(ctx.options.timeout);
      return hang ? new Promise<never>(() => {}) : Promise.resolve("there");
    };
    broker.createService({
      name: "slow",
      actions: { usual: { handler: answer }, outside: handle("models.chat", answer as never, { outside: true }) },
    });
    await broker.start();
  });
  afterEach(async () => {
    // It waits for calls that hang.
    const stopped = broker.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    await stopped;
    jest.useRealTimers();
  });

  async function outcomes(times: number, action: string, timeout?: number): Promise<unknown[]> {
    const calls = Array.from({ length: times }, () =>
      broker.call(action, {}, timeout === undefined ? {} : { timeout }).catch((error: { type: string }) => error.type),
    );
    await jest.advanceTimersByTimeAsync(timeout ?? USUAL_MS);
    return Promise.all(calls);
  }

  it("has a time limit by default", async () => {
    expect(await outcomes(1, "slow.usual")).toEqual(["REQUEST_TIMEOUT"]);
    expect(limits).toEqual([USUAL_MS]);
  });

  it("does not delay a stop after its time limit", async () => {
    await outcomes(1, "slow.usual");
    let stopped = false;
    const stopping = broker.stop().then(() => (stopped = true));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(stopped).toBe(true);
    await stopping;
  });

  it("uses the namespace of NATS_URL in its message names", () => {
    const of = (query: string) => brokerOptions({ ...config(), NATS_URL: `nats://127.0.0.1:1${query}` }).namespace;
    expect([of(""), of("?namespace=staging")]).toEqual(["weft", "staging"]);
  });

  it("is rejected at once after five have timed out, and is tried again later", async () => {
    expect(new Set(await outcomes(5, "slow.usual"))).toEqual(new Set(["REQUEST_TIMEOUT"]));
    await expect(broker.call("slow.usual")).rejects.toMatchObject({ type: "SERVICE_NOT_AVAILABLE" });
    hang = false;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await outcomes(1, "slow.usual")).toEqual(["there"]);
    expect(await outcomes(3, "slow.usual")).toEqual(["there", "there", "there"]);
  });

  it.each([
    ["that was given too little time", "slow.usual", 4_000],
    ["that waits for somebody else's server", "slow.outside", USUAL_MS],
  ])("is not counted if it is one %s", async (_, action, timeout) => {
    expect(new Set(await outcomes(20, action, timeout))).toEqual(new Set(["REQUEST_TIMEOUT"]));
    hang = false;
    expect(await outcomes(1, action)).toEqual(["there"]);
  });

  it.each([
    ["asked again, once, where it only reads", "workflows.runnable", 2, "there"],
    ["never asked again where it may have changed something", "executions.launch", 1, "REQUEST_REJECTED"],
  ] as const)("is %s if its node has disconnected", async (_, name, times, outcome) => {
    let calls = 0;
    const lostOnce = () => {
      if (++calls === 1) throw new Errors.RequestRejectedError({ action: name, nodeID: broker.nodeID });
      return "there";
    };
    broker.createService({ name: "lost", actions: { it: handle(name, lostOnce as never) } });
    await jest.advanceTimersByTimeAsync(100);
    expect(await outcomes(1, "lost.it")).toEqual([outcome]);
    expect(calls).toBe(times);
  });
});

describe("the actions that are retried", () => {
  it("are those of GET routes, and internal ones without a route", () => {
    const routed = new Map(ROUTES.map(({ action, method }) => [action as string, method]));
    for (const name of READS) expect([undefined, "GET"]).toContain(routed.get(name));
    for (const [name, method] of routed) expect([name, READS.has(name)]).toEqual([name, method === "GET"]);
    const marked = Object.values<ActionContract>(ACTIONS).filter(({ reads }) => reads);
    expect(marked.length).toBeGreaterThan(15);
    expect(marked.map(({ access }) => access)).toEqual(marked.map(() => "internal"));
  });
});

describe("the source code", () => {
  it("never removes a time limit", () => {
    const paths = globSync("{services,service-kit,middlewares}/**/*.ts");
    const without = paths.filter(path => /timeout: (0|null|Infinity|-1)\b/.test(readFileSync(path, "utf8")));
    expect(paths.length).toBeGreaterThan(100);
    expect(without).toEqual([]);
  });
});
