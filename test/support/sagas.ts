import { type Api, newWorkflow } from "./api.ts";
import { definition, node } from "./definition.ts";
import { read } from "./executions.ts";
import { readLog } from "./follow.ts";
import type { Ledger } from "./ledger.ts";

/** The steps of a saga in order. Steps of map items and loop rounds have their index. */
const STEPS = ["order", "reserve:0", "pack:0", "reserve:1", "pack:1", "ship:0", "ship:1", "invoice"];
const undoOf = (step: string) => `undo-${step}`;
const CONTAINERS = ["items", "parcels"];

/** A random number below this one selects a step at which a saga fails, or none. */
export const ANY_FAILURE = STEPS.length + 1;

/** The number of calls of a whole saga. */
export const callsOf = (fail: number): number => (fail < STEPS.length ? 2 * fail + 1 : STEPS.length);

/**
 * A workflow of eight steps, some of them in a map and in a loop, each with a compensation. A run with the input
 * `{fail: n}` fails at step n.
 */
export function newSaga(api: Api, space: string, ledger: Ledger): Promise<string> {
  const failing = (body: unknown) => (body as { input?: { fail?: number } }).input?.fail;
  ledger.behaviour = ({ key, body }) =>
    key.slice(key.indexOf(":") + 1) === STEPS[failing(body) ?? -1] ? { status: 400 } : undefined;
  const call = (id: string, parentId?: string) => ({
    ...node(id, "http", { method: "POST", url: `${ledger.url}/${id}`, body: { input: "{{ input }}" } }),
    parentId,
  });
  const undoable = (id: string, parentId?: string) => [
    { ...call(id, parentId), policy: { compensate: undoOf(id) } },
    { ...call(undoOf(id), parentId), policy: { retry: { maxAttempts: 3, initialMs: 1 } } },
  ];
  const nodes = [
    ...undoable("order"),
    node("items", "map", { items: "{{ [0, 1] }}" }),
    ...undoable("reserve", "items"),
    ...undoable("pack", "items"),
    node("parcels", "loop", { while: "{{ loop.index < 2 }}" }),
    ...undoable("ship", "parcels"),
    ...undoable("invoice"),
  ];
  const edges = ["order > items", "reserve > pack", "items > parcels", "parcels > invoice"];
  return newWorkflow(api, space, definition(nodes, ...edges));
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * What is wrong with a saga that should have ended. It must be complete or compensated, each compensation must run once
 * and in reverse order, and none for a step that did not finish.
 */
export async function sagaFaults(api: Api, path: string, ledger: Ledger): Promise<string[]> {
  const run = await read(api, path);
  const log = await readLog(api, path);
  const completed = log
    .filter(({ event }) => event === "step.completed")
    .map(({ nodeId, path: at }) => [nodeId!, ...(at ?? []).map(({ index }) => index)].join(":"))
    .filter(one => !CONTAINERS.includes(one));
  const finished = completed.filter(one => STEPS.includes(one));
  const undone = completed.filter(one => !STEPS.includes(one));
  const wrong: string[] = [];
  const must = (holds: boolean, what: string) => {
    if (!holds) wrong.push(`${run.id} (${run.status}) ${what}: ${completed.join(" ")}`);
  };
  must(
    same(
      log.map(({ seq }) => seq),
      log.map((_, n) => n + 1),
    ),
    "has a hole in its log",
  );
  if (run.status === "completed") must(same(finished, STEPS) && undone.length === 0, "is not complete");
  else {
    must(run.status === "failed", "has not ended");
    must(same(undone, finished.toReversed().map(undoOf)), "has undone other steps than it had finished");
    // A run without a finished step has nothing to undo.
    const { status, compensated, failed } = run.compensation ?? { status: "completed", compensated: [], failed: [] };
    must(status === "completed" && failed.length === 0, "says that a compensation failed");
    const ids = new Set(finished.map(one => one.replace(/:.*/, "")));
    must(same([...compensated].sort(), [...ids].sort()), "names other steps as compensated");
  }
  const called = STEPS.filter(one => ledger.count(`${run.id}:${undoOf(one)}`) > 0);
  must(same(called.map(undoOf).sort(), undone.toSorted()), `has called compensations of ${called.join(" ")}`);
  return wrong;
}
