import { explore, type Found } from "../support/claim-protocol/explore.ts";
import { ClaimProtocol, type Scenario } from "../support/claim-protocol/model.ts";
import type { Variant } from "../support/claim-protocol/writes.ts";

/** SHOW=1 npx jest claim-protocol: how many states there are, and what goes wrong in the variants. */
function run(name: string, scenario: Scenario): Found {
  const found = explore(new ClaimProtocol(scenario));
  if (process.env.SHOW) {
    const { what, trace } = found.violation ?? { what: "nothing is wrong", trace: [] };
    process.stderr.write(`${name}: ${found.states} states, ${found.steps} steps; ${[what, ...trace].join("\n    ")}\n`);
  }
  return found;
}

const steps = { edges: ["a > b"], workers: 2 };
const question = { alone: ["ask"], workers: 2 };
const late = { edges: ["askTimed:timeout > a"], workers: 2 };

/** What may happen at any moment, and as often as the numbers say. */
const SCENARIOS: Record<string, Scenario> = {
  "a worker is believed dead twice": { ...steps, lapses: 2 },
  "of three workers one dies, and one is believed dead": { ...steps, workers: 3, lapses: 1, crashes: 1 },
  "a write comes late or never, and a worker is believed dead": { ...steps, lapses: 1, timeouts: 1 },
  "two writes come late or never": { ...steps, timeouts: 2 },
  "two executions, and a worker that is believed dead": { alone: ["a"], workers: 2, executions: 2, lapses: 1 },
  "a step fails the run, and appends are cut off": {
    alone: ["a", "fail"],
    workers: 2,
    lapses: 1,
    crashes: 1,
    cutAppends: true,
  },
  "a wait, a crash, a late write": { alone: ["wait"], workers: 2, lapses: 1, crashes: 1, timeouts: 1 },
  "a wait beside a step": { alone: ["wait", "a"], workers: 2, lapses: 1, crashes: 1 },
  "two answers to a question, and a crash": { ...question, answerers: 2, lapses: 1, crashes: 1 },
  "two answers to a question beside a step": { alone: ["ask", "a"], workers: 2, answerers: 2, lapses: 1 },
  "an answer, and a write that comes late": {
    edges: ["ask:approved > b"],
    workers: 2,
    answerers: 1,
    lapses: 1,
    timeouts: 1,
  },
  "two questions at a time": { alone: ["ask", "ask2"], workers: 2, answerers: 2, timeouts: 1 },
  "a question's time ends while it is answered": { ...late, answerers: 2, crashes: 1 },
  "a question's time ends, and a worker is believed dead": { ...late, answerers: 1, lapses: 1 },
  "a question's time ends, and a write comes late": { ...late, answerers: 1, timeouts: 1 },
  "a question's time ends beside a step": { ...late, alone: ["b"], answerers: 1, crashes: 1 },
  "a step does a part of its work, and a worker is believed dead twice": { alone: ["tell"], workers: 2, lapses: 2 },
  "a step does a part of its work, a crash, a late write": {
    edges: ["tell > b"],
    workers: 2,
    crashes: 1,
    timeouts: 1,
  },
  "a step that asks in the middle, two answers, and a crash": {
    alone: ["askOn"],
    workers: 2,
    answerers: 2,
    lapses: 1,
    crashes: 1,
  },
  "a step that asks in the middle, and a write that comes late": {
    alone: ["askOn"],
    workers: 2,
    answerers: 1,
    timeouts: 1,
  },
  "a step that asks in the middle beside one that does a part of its work": {
    alone: ["askOn", "tell"],
    workers: 2,
    answerers: 1,
    lapses: 1,
  },
  "the time of a question in the middle ends while it is answered": {
    alone: ["askOnTimed"],
    workers: 2,
    answerers: 2,
    crashes: 1,
  },
  "a cancel that is cut off, and a question in the middle": {
    alone: ["askOn"],
    workers: 2,
    answerers: 1,
    crashes: 1,
    canceller: true,
  },
  "a cancel that is cut off, and a step": { alone: ["a"], workers: 2, crashes: 1, canceller: true },
  "pure steps around another step, a crash, and a worker that is believed dead": {
    edges: ["pureFirst > pureThen", "pureThen > a", "a > pureLast"],
    workers: 2,
    lapses: 1,
    crashes: 1,
  },
  "pure steps in appends that are cut off": {
    edges: ["pureFirst > pureThen", "pureThen > a", "a > pureLast"],
    workers: 2,
    lapses: 1,
    crashes: 1,
    cutAppends: true,
  },
  "pure steps alone, and two writes that come late or never": {
    edges: ["pureFirst > pureLast"],
    workers: 2,
    timeouts: 2,
  },
  "pure steps behind a question, two answers, and a crash": {
    edges: ["ask:approved > pureLast"],
    workers: 2,
    answerers: 2,
    crashes: 1,
  },
  "pure steps, and a cancel that is cut off": {
    edges: ["pureFirst > a", "a > pureLast"],
    workers: 2,
    crashes: 1,
    canceller: true,
  },
  "a failed run undoes its steps, a crash, and a worker that is believed dead": {
    edges: ["book > bookToo", "bookToo > fail"],
    workers: 2,
    lapses: 1,
    crashes: 1,
  },
  "a failed run undoes its steps, in appends that are cut off": {
    edges: ["book > fail"],
    workers: 2,
    crashes: 1,
    timeouts: 1,
    cutAppends: true,
  },
  "a failed run undoes its step while its question is answered": {
    edges: ["book > fail"],
    alone: ["ask"],
    workers: 2,
    answerers: 1,
    lapses: 1,
  },
  "a cancel lets a run undo its step, and is cut off": {
    edges: ["book > a"],
    workers: 2,
    crashes: 1,
    canceller: "undoing",
  },
  "a cancel that is cut off, and an answer": { ...question, answerers: 1, crashes: 1, canceller: true },
};

describe("claims, leases and the fence", () => {
  it.each(Object.entries(SCENARIOS))("always hold, and every state leads to an end: %s", (name, scenario) => {
    const { violation, states } = run(name, scenario);
    expect(violation).toBeNull();
    expect(states).toBeGreaterThan(100);
  });
});

const STUCK = "no way leads to an end from here";
/** What each part of the protocol keeps from input. */
const VARIANTS: [keyof Variant, Scenario, string][] = [
  ["withoutFence", { ...steps, lapses: 1 }, "seq 1 stands at place 2"],
  ["withoutWorkerFilter", { ...question, answerers: 1, lapses: 1 }, "what has ended is running again"],
  ["withoutSweep", { ...steps, crashes: 1 }, STUCK],
  ["withoutOrphanReturn", { ...steps, timeouts: 1 }, STUCK],
  ["withoutInboxCounter", { ...question, answerers: 1 }, STUCK],
  ["withoutSecondParking", { ...question, answerers: 1, lapses: 1 }, STUCK],
  ["withoutSecondLook", { ...question, answerers: 2, lapses: 1 }, "two answers to one question were taken"],
  ["withoutLastSignal", { ...late, answerers: 1 }, "an answer was taken and is lost"],
  ["withoutCancelIntent", { ...question, answerers: 1, crashes: 1, canceller: true }, STUCK],
];

describe("the model checker finds a fault if the protocol lacks", () => {
  it.each(VARIANTS)("%s", (part, scenario, what) => {
    const { violation } = run(part, { ...scenario, variant: { [part]: true } });
    expect(violation?.what).toBe(what);
    expect(violation?.trace.length).toBeGreaterThan(0);
  });
});
