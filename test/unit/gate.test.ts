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

test("lets groups take turns, and keeps the order within a group", async () => {
  const gate = new Gate({ atOnce: 1, waiting: 40 });
  const { begun, work, end } = works();
  const all = ["a1", "a2", "a3", "b1"].map(name => gate.run(name.slice(0, 1), work(name)));
  expect(begun).toEqual(["a1"]);
  for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
  await expect(Promise.all(all)).resolves.toEqual(["a1", "a2", "a3", "b1"]);
  expect(gate.isIdle).toBe(true);
});

test("rejects a group beyond its share, while others have space", async () => {
  const gate = new Gate({ atOnce: 1, waiting: 8, perGroup: 1 });
  const { work, end } = works();
  const first = gate.run("a", work("a1"));
  const second = gate.run("a", work("a2"));
  await expect(gate.run("a", work("a3"))).rejects.toThrow(GateFullError);
  const other = gate.run("b", work("b1"));
  for (const name of ["a1", "a2", "b1"]) await end(name);
  await expect(Promise.all([first, second, other])).resolves.toHaveLength(3);
});

test("ends a wait with the reason of its abort, and gives the place to the next caller", async () => {
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

test("neither delays nor rejects calls of other keys if the gate of one key is full", async () => {
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

test("leaves the other places to other groups if one group is at its limit", async () => {
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
