import { retryWhileBusy } from "../../services/executions/engine/retry-while-busy.ts";

const busy = new Error("There is no room.");

describe("work that waits for capacity", () => {
  it("is tried again until there is capacity", async () => {
    let tries = 0;
    const act = () => (++tries < 2 ? Promise.reject(busy) : Promise.resolve("done"));
    expect(await retryWhileBusy(act, error => error === busy, new AbortController().signal)).toBe("done");
    expect(tries).toBe(2);
  });

  it("is given up at once if no caller waits any more, also between two attempts", async () => {
    const gone = new AbortController();
    let tries = 0;
    const waiting = retryWhileBusy(
      () => Promise.reject(tries++ ? new Error("It is tried again.") : busy),
      () => true,
      gone.signal,
    );
    // The first try has failed by now, and no time passes.
    await Promise.resolve().then(() => undefined);
    gone.abort();
    await expect(waiting).rejects.toBe(busy);
    expect(tries).toBe(1);
  });
});
