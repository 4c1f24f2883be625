import { runsInRounds } from "../../../core/graph/node-types.ts";
import { handle } from "../../../contracts/call.ts";
import type { ComparedStep } from "../../../contracts/entities/run-comparison.ts";
import type { Change } from "../../../contracts/entities/workflow-diff.ts";
import { notFound } from "../../../contracts/errors.ts";
import { DiffBudget, diffJson } from "../../../core/diff/json-diff.ts";
import { JsonIdentity } from "../../../core/diff/json-identity.ts";
import { isAlike, type Pair, pairsOf, pairStatus } from "../../../core/run/outline/compare.ts";
import { namesOf } from "../../../service-kit/names.ts";
import { type ExecutionDoc, Executions } from "../store/model.ts";
import { presentNamed } from "../store/present.ts";
import { getExecution, journalOf, readExecution } from "../store/read-execution.ts";
import { stepPayloads } from "../store/step-payloads.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/**
 * Limits the time for reading and comparing outputs. Callers give up after 10 seconds, and may wait for a turn before.
 */
const MAX_COMPARE_MS = 3_000;
const MAX_STEPS = 400;
/**
 * Limits the changes in one response, in characters of JSON. `payload` applies to input and output each, `steps` to all
 * outputs of steps together.
 */
const MAX_CHARS = { payload: 30_000, steps: 80_000 };
/** Larger values are not compared, because that would block all other work. */
const MAX_VALUE_BYTES = 2 * 1_048_576;

const isTooLarge = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? null)) > MAX_VALUE_BYTES;

/** How a value differs; null if one side is too large to compare. */
function changesOf(from: unknown, to: unknown, budget: DiffBudget): Change[] | null {
  if (isTooLarge(from) || isTooLarge(to)) return null;
  return diffJson(from ?? null, to ?? null, new JsonIdentity(), budget);
}

const sideOf = (pair: Pair, place: Pair["a"]): ComparedStep["a"] => {
  if (!place) return null;
  const { error, outputBytes } = place.facts;
  const step = "attempt" in place.facts ? place.facts : { attempt: 1, durationMs: null };
  const { attempt, durationMs } = step;
  return { status: pairStatus(pair, place)!, attempt, durationMs, outputBytes, error };
};

/** The row of a pair whose outputs have not been compared. */
function rowOf(pair: Pair): ComparedStep {
  const { nodeId, path, node, isItem, a, b } = pair;
  return {
    nodeId,
    name: node?.name ?? nodeId,
    type: isItem ? (runsInRounds(node?.type) ? "round" : "item") : (node?.type ?? null),
    ...(path.length > 0 && { path }),
    change: !a ? "added" : !b ? "removed" : isAlike(pair) ? "equal" : "changed",
    a: sideOf(pair, a),
    b: sideOf(pair, b),
  };
}

/** Compares the outputs of steps until the time or the size budget is used up. */
class OutputDiffs {
  readonly #service: ExecutionsService;
  readonly #docs: readonly [ExecutionDoc, ExecutionDoc];
  readonly #until = performance.now() + MAX_COMPARE_MS;
  readonly budget = new DiffBudget(MAX_CHARS.steps);

  constructor(service: ExecutionsService, docs: readonly [ExecutionDoc, ExecutionDoc]) {
    this.#service = service;
    this.#docs = docs;
  }

  /** The changes. An empty list if the outputs are equal, null if they were not compared. */
  async of({ nodeId, path, a, b }: Pair): Promise<Change[] | null> {
    const sizes = [a, b].map(place => place?.facts.outputBytes ?? 0);
    if (sizes.some(bytes => bytes > MAX_VALUE_BYTES) || this.budget.truncated || performance.now() > this.#until)
      return null;
    const [from, to] = await Promise.all(this.#docs.map(doc => this.#output(doc, { nodeId, path })));
    return changesOf(from, to, this.budget);
  }

  async #output(doc: ExecutionDoc, at: Pick<Pair, "nodeId" | "path">): Promise<unknown> {
    const { outlines, values } = this.#service;
    const outline = await outlines.of(doc.workspaceId, doc.id);
    const found = await stepPayloads(journalOf(this.#service, doc), outline, at);
    return values.shown(doc.workspaceId, found?.output);
  }
}

async function comparedSteps(pairs: Iterable<Pair>, diffs: OutputDiffs) {
  const counts = { equal: 0, changed: 0, added: 0, removed: 0 };
  const steps: ComparedStep[] = [];
  let isCut = false;
  let seen = 0;
  for (const pair of pairs) {
    const row = rowOf(pair);
    if (row.change === "changed") {
      const output = await diffs.of(pair);
      const { a, b } = row;
      // Values that are stored apart can be equal although their references are not.
      const isSame = output?.length === 0 && a?.status === b?.status && a?.error?.message === b?.error?.message;
      if (isSame && !diffs.budget.truncated) row.change = "equal";
      else row.output = output;
    }
    counts[row.change]++;
    if (row.change !== "equal" || !row.path) {
      if (steps.length < MAX_STEPS) steps.push(row);
      else isCut = true;
    }
    // Runs may have tens of thousands of steps, so other work gets a turn.
    if (++seen % 1_000 === 0) await new Promise(setImmediate);
  }
  return { steps, counts, isCut };
}

export const compare = handle<"executions.compare", ExecutionsService>("executions.compare", async function (ctx) {
  const { workspaceId, other } = ctx.params;
  const a = await getExecution(this, ctx.params);
  const b = await this.store.tenant(Executions, workspaceId).get({ id: other });
  if (!b) throw notFound("execution");
  const docs = [a, b] as const;
  const names = await namesOf(ctx, workspaceId, {
    workflows: docs.map(doc => doc.workflowId),
    users: docs.map(doc => doc.startedBy),
  });
  return this.reads.run(async () => {
    const diffs = new OutputDiffs(this, docs);
    const [runA, runB] = await Promise.all(
      docs.map(async ({ id, workflowId, workflowVersion }) => ({
        outline: await this.outlines.of(workspaceId, id),
        graph: (await this.engine.definitions.get(workspaceId, workflowId, workflowVersion)).parsed.graph ?? undefined,
      })),
    );
    const { steps, counts, isCut } = await comparedSteps(pairsOf(runA!, runB!), diffs);
    const [from, to] = await Promise.all(docs.map(doc => readExecution(this, doc)));
    const [inputs, outputs] = [new DiffBudget(MAX_CHARS.payload), new DiffBudget(MAX_CHARS.payload)];
    return {
      a: presentNamed(a, names),
      b: presentNamed(b, names),
      input: changesOf(from!.input, to!.input, inputs),
      output: changesOf(from!.output, to!.output, outputs),
      steps,
      counts,
      truncated: isCut || [diffs.budget, inputs, outputs].some(({ truncated }) => truncated),
    };
  });
});
