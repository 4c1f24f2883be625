import { setImmediate as nextTurn } from "node:timers/promises";
import { Gate, GateFullError, Gates } from "../../adapters/processes/gate.ts";

/** Work that goes on until it is told to end, and the order in which it begins. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>(resolve => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await nextTurn();
  };
  return { begun, work, end };
}

test("groups take turns, and within a group work waits in order", async () => {
  const gate = new Gate({ atOnce: 1, waiting: 40 });
  const { begun, work, end } = works();
  const all = ["a1", "a2", "a3", "b1"].map(name => gate.run(name.slice(0, 1), work(name)));
  expect(begun).toEqual(["a1"]);
  for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
  await expect(Promise.all(all)).resolves.toEqual(["a1", "a2", "a3", "b1"]);
  expect(gate.isIdle).toBe(true);
});

test("a group beyond its share is rejected, and others still have room", async () => {
  const gate = new Gate({ atOnce: 1, waiting: 8, perGroup: 1 });
  const { work, end } = works();
  const first = gate.run("a", work("a1"));
  const second = gate.run("a", work("a2"));
  await expect(gate.run("a", work("a3"))).rejects.toThrow(GateFullError);
  const other = gate.run("b", work("b1"));
  for (const name of ["a1", "a2", "b1"]) await end(name);
  await expect(Promise.all([first, second, other])).resolves.toHaveLength(3);
});

test("an abort ends a wait with its reason, and the next caller gets the place", async () => {
  const gate = new Gate({ atOnce: 1, waiting: 8 });
  const { begun, work, end } = works();
  const first = gate.run("a", work("a1"));
  const stop = new AbortController();
  const second = gate.run("a", work("a2"), stop.signal);
  const third = gate.run("a", work("a3"));
  stop.abort(new Error("cancelled"));
  await expect(second).rejects.toThrow("cancelled");
  await expect(gate.run("a", work("a4"), stop.signal)).rejects.toThrow("cancelled");
  for (const name of ["a1", "a3"]) await end(name);
  await Promise.all([first, third]);
  expect(begun).toEqual(["a1", "a3"]);
});

test("a full gate of one key neither delays nor rejects calls of another", async () => {
  const gates = new Gates({ atOnce: 1, waiting: 1 });
  const { begun, work, end } = works();
  const { signal } = new AbortController();
  const all = ["a1", "a2"].map(name => gates.run("a", work(name), signal));
  await expect(gates.run("a", work("a3"), signal)).rejects.toThrow(GateFullError);
  const other = gates.run("b", work("b1"), signal);
  expect(begun).toEqual(["a1", "b1"]);
  for (const name of ["b1", "a1", "a2"]) await end(name);
  await expect(Promise.all([...all, other])).resolves.toEqual(["a1", "a2", "b1"]);
});

test("a group at its limit of running work leaves the other places to other groups", async () => {
  const gate = new Gate({ atOnce: 3, atOncePerGroup: 2, waiting: 8 });
  const { begun, work, end } = works();
  const all = ["a1", "a2", "a3", "b1", "b2"].map(name => gate.run(name.slice(0, 1), work(name)));
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end("b1");
  expect(begun).toEqual(["a1", "a2", "b1", "b2"]);
  await end("a1");
  expect(begun.at(-1)).toBe("a3");
  for (const name of ["a2", "a3", "b2"]) await end(name);
  await expect(Promise.all(all)).resolves.toHaveLength(5);
  expect(gate.isIdle).toBe(true);
});
