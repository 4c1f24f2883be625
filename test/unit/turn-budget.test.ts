import { TurnBudget } from "../../adapters/turn-budget.ts";
import { hurrying, turnsDuring } from "../support/turns.ts";

// Callers that never wait for anything external would all run in one turn of the event loop.

it("a caller goes on at once while the budget of the turn lasts", () => {
  const budget = new TurnBudget(() => 0);
  expect([1, 2, 3].map(() => budget.next())).toEqual([undefined, undefined, undefined]);
});

it("callers beyond the budget go on in later turns, in their order", async () => {
  const budget = new TurnBudget(hurrying());
  const order: number[] = [];
  const call = async (n: number) => {
    await budget.next();
    order.push(n);
  };
  const callers = Array.from({ length: 8 }, (_, n) => call(n));
  expect(await turnsDuring(Promise.all(callers))).toBeGreaterThanOrEqual(7);
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

it("a caller that asks again waits behind those who wait already", async () => {
  let time = 0;
  const budget = new TurnBudget(() => time);
  const order: string[] = [];
  const call = async (name: string, times: number) => {
    for (let n = 0; n < times; n++) {
      await budget.next();
      order.push(name);
      time += 11;
    }
  };
  await Promise.all([call("a", 3), call("b", 3)]);
  expect(order).toEqual(["a", "b", "a", "b", "a", "b"]);
});
