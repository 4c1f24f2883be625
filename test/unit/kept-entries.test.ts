import { advance } from "../../core/run/advance.ts";
import type { StepResult } from "../../core/run/entry.ts";
import { fold } from "../../core/run/fold.ts";
import { keptEntries } from "../../core/run/kept-entries.ts";
import { gives } from "../support/definition.ts";
import { created, graphOf, simulate } from "../support/simulate-run.ts";

const done = (output: unknown, handle = "out"): StepResult => ({ kind: "done", output, handle });
const broken: StepResult = { kind: "failed", error: { code: "broken", message: "It broke." } };
const around = { now: "2026-01-01T00:00:01.000Z", random: 0.5 };

/** Two conditions lead to a merge, and the merge leads to two steps. */
function joined(mode: "all" | "any", { changed = "", disabled = false } = {}) {
  const condition = (id: string) => ({ id, type: "condition", data: { if: id !== changed } });
  const step = (id: string) => gives(id, 1);
  return graphOf({
    nodes: [
      condition("a"),
      condition("b"),
      { id: "merge", type: "merge", data: { mode }, disabled },
      step("behind"),
      step("end"),
    ],
    edges: [
      { source: "a", target: "merge", sourceHandle: "true" },
      { source: "b", target: "merge", sourceHandle: "true" },
      { source: "merge", target: "behind" },
      { source: "behind", target: "end" },
    ],
  });
}

/** The steps end in the order in which they start, so a merge of mode `any` joins `a` alone. */
const resultsOf =
  (mode: "all" | "any", version: string, failing?: string) =>
  (id: string): StepResult => {
    if (id === failing) return broken;
    if (id === "merge") return done(mode === "any" ? { a: version } : { a: version, b: version });
    return done(version, id === "a" || id === "b" ? "true" : "out");
  };

/** The steps that a retry of a failed run performs, and the output of the merge in the end. */
function retried(mode: "all" | "any", { changed = "", disabled = false } = {}) {
  const was = joined(mode, { disabled });
  const before = simulate(was, resultsOf(mode, "old", "end")).state;
  expect(before.status).toBe("failed");
  const is = joined(mode, { changed, disabled });
  const begun = advance(is, fold([created]), [{ kind: "begin", kept: keptEntries(was, is, before, null) }], around);
  const again = simulate(is, resultsOf(mode, "new"), { journal: [created, ...begun] });
  expect(again.state.status).toBe("completed");
  return { performed: [...again.performed.keys()].sort(), merged: again.state.nodes.get("merge")?.output };
}

describe("a retry", () => {
  test.each(["all", "any"] as const)("keeps a merge of mode %s and the steps after it if nothing changed", mode => {
    expect(retried(mode, {}).performed).toEqual(["end"]);
  });

  test("runs a merge of mode all again if one of its sources changed", () => {
    const { performed, merged } = retried("all", { changed: "b" });
    expect(performed).toEqual(["b", "behind", "end", "merge"]);
    expect(merged).toEqual({ a: "new", b: "new" });
  });

  test("runs a merge of mode any again if the source that it joined changed", () => {
    expect(retried("any", { changed: "a" }).performed).toEqual(["a", "behind", "end", "merge"]);
  });

  test("keeps a merge of mode any, and the steps after it, if only a source changed that it did not wait for", () => {
    expect(retried("any", { changed: "b" }).performed).toEqual(["b", "end"]);
  });

  test("treats a disabled merge of mode any as one that waits for all", () => {
    expect(retried("any", { changed: "b", disabled: true }).performed).toEqual(["b", "behind", "end", "merge"]);
  });
});
