import type { Scope } from "../../../adapters/expressions/index.ts";
import type { PathPart } from "../../../contracts/entities/execution.ts";
import { AppError, notFound } from "../../../contracts/errors.ts";
import type { Needs } from "../../../core/expressions/needs.ts";
import { runsInRounds } from "../../../core/graph/node-types.ts";
import type { Graph } from "../../../core/graph/graph.ts";
import { type Level, levelAt } from "../../../core/run/outline/facts.ts";
import type { Outline } from "../../../core/run/outline/outline.ts";
import { levelsSeen, type SeenLevel } from "../../../core/run/scope-levels.ts";
import type { ExecutionJournal } from "./journal.ts";
import { stepPayloads } from "./step-payloads.ts";

/** The most bytes of outputs that one reader gets from the journal at a time. References to large values count less. */
const MAX_BYTES = 16 * 1_048_576;
const REFERENCE_BYTES = 262_144;

const TOO_LARGE = "The outputs of the run are too large to be seen all together. Name the steps, as in `steps.<id>`.";

export interface RunPlace {
  path: readonly PathPart[];
  nodeId?: string | undefined;
}

/** Reads the values that the expressions of a step can see. */
class ScopeReader {
  readonly #journal: ExecutionJournal;
  readonly #outline: Outline;
  #bytes = 0;

  constructor(journal: ExecutionJournal, outline: Outline) {
    this.#journal = journal;
    this.#outline = outline;
  }

  level(path: readonly PathPart[]): Level {
    const level = levelAt(this.#outline.root, path);
    if (!level) throw notFound("item");
    return level;
  }

  /** Adds the outputs of one level to `steps`. */
  async addOutputs(steps: Record<string, unknown>, { path, unseen }: SeenLevel, wanted: Needs["steps"]): Promise<void> {
    const level = this.level(path);
    for (const [nodeId, { outputBytes }] of level.steps) {
      if (outputBytes === null || unseen.has(nodeId) || (wanted && !wanted.has(nodeId))) continue;
      this.#bytes += Math.min(outputBytes, REFERENCE_BYTES);
      if (this.#bytes > MAX_BYTES) throw new AppError("payload_too_large", { detail: TOO_LARGE });
      steps[nodeId] = (await stepPayloads(this.#journal, this.#outline, { nodeId, path }))?.output;
    }
  }

  async item(path: readonly PathPart[]): Promise<unknown> {
    this.level(path);
    const { nodeId } = path.at(-1)!;
    return (await stepPayloads(this.#journal, this.#outline, { nodeId, path }))?.input ?? null;
  }
}

/**
 * The values of a run that the expressions of a step can see: `input`, `trigger`, `steps`, in an item of a map `item`
 * and `index`, and in a round of a loop `loop`. Large values are references.
 * @throws {AppError} not_found for an item that has not begun, payload_too_large
 */
export async function readRunScope(
  { journal, outline, graph }: { journal: ExecutionJournal; outline: Outline; graph: Graph | undefined },
  place: RunPlace,
  needs: Needs,
): Promise<Pick<Scope, "input" | "trigger" | "steps" | "item" | "index" | "loop">> {
  const reader = new ScopeReader(journal, outline);
  const created = await journal.created();
  const isLoop = ({ nodeId }: PathPart) => runsInRounds(graph?.byId.get(nodeId)?.type);
  const item: Pick<Scope, "item" | "index" | "loop"> = {};
  // Node ids are chosen by users, so the object must have no prototype.
  const steps = Object.create(null) as Record<string, unknown>;
  for (const level of levelsSeen(graph, place)) {
    const pass = level.path.at(-1);
    if (pass) {
      const { nodeId, index } = pass;
      const value = await reader.item(level.path);
      steps[nodeId] = isLoop(pass) ? { carry: value, index } : { item: value, index };
      Object.assign(item, isLoop(pass) ? { loop: { carry: value, index } } : { item: value, index });
    }
    if (needs.names.has("steps")) await reader.addOutputs(steps, level, needs.steps);
  }
  return {
    input: created?.input ?? null,
    trigger: created?.trigger,
    steps,
    ...item,
  };
}
