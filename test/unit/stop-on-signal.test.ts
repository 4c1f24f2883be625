import type { ServiceBroker } from "moleculer";
import { stopOnSignal } from "../../config/process.ts";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;
const before = SIGNALS.map(signal => process.listeners(signal));

// The time limit of a stop would end the worker that runs the suites, seconds after this one.
beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  for (const [i, signal] of SIGNALS.entries()) {
    process.removeAllListeners(signal);
    before[i]!.forEach(listener => process.on(signal, listener));
  }
});

/** What the process is ended with, for a broker that stops like this. */
async function exitCode(stop: () => Promise<void>): Promise<{ code: unknown; stops: number; fatal: unknown[][] }> {
  const fatal = jest.fn();
  const broker = { stop: jest.fn(stop), logger: { fatal } };
  const code = new Promise(resolve => {
    jest.spyOn(process, "exit").mockImplementation(((code: unknown) => resolve(code)) as never);
  });
  stopOnSignal(broker as unknown as ServiceBroker);
  SIGNALS.forEach(signal => process.emit(signal));
  return { code: await code, stops: broker.stop.mock.calls.length, fatal: fatal.mock.calls };
}

describe("a signal", () => {
  it("stops the broker once and ends with 0", async () => {
    expect(await exitCode(() => Promise.resolve())).toEqual({ code: 0, stops: 1, fatal: [] });
  });

  it("ends with 1 if the broker could not stop, and says why", async () => {
    const error = new Error("stuck");
    const { code, fatal } = await exitCode(() => Promise.reject(error));
    expect(code).toBe(1);
    expect(fatal).toEqual([["Not stopped cleanly.", error]]);
  });

  it("ends with 1 if the broker does not finish stopping", async () => {
    const ended = exitCode(() => new Promise(() => undefined));
    jest.runAllTimers();
    expect((await ended).code).toBe(1);
  });
});
