import { v7 as uuid } from "uuid";
import type { Scope } from "../../../adapters/expressions/index.ts";
import { call } from "../../../contracts/call.ts";
import type { Needs } from "../../../core/expressions/needs.ts";
import { getExecution, journalOf } from "../store/read-execution.ts";
import { readRunScope, type RunPlace } from "../store/run-scope.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/** The workflow whose step is tested. */
export interface Tried {
  workspaceId: string;
  spaceId: string;
  workflowId: string;
}

/** The source of values that the caller does not give. */
export interface Source extends RunPlace {
  executionId?: string | undefined;
  samples?: boolean;
}

export interface GivenValues {
  input?: unknown;
  steps?: Readonly<Record<string, unknown>> | undefined;
  item?: unknown;
  index?: number | undefined;
  loop?: unknown;
}

type ValueScope = Pick<Scope, "input" | "steps" | "item" | "index" | "loop" | "trigger" | "execution">;

async function ofRun(service: ExecutionsService, tried: Tried, source: Source, needs: Needs): Promise<ValueScope> {
  const { workspaceId, spaceId } = tried;
  const { executionId: id } = source;
  if (id === undefined) {
    const execution = { id: uuid(), attempt: 1, createdAt: new Date().toISOString() };
    return { input: null, steps: {}, trigger: { type: "manual" }, execution };
  }
  const doc = await getExecution(service, { workspaceId, spaceId, id });
  const { parsed } = await service.engine.definitions.get(workspaceId, doc.workflowId, doc.workflowVersion);
  const seen = await service.reads.run(async () => {
    const outline = await service.outlines.of(workspaceId, id);
    return readRunScope({ journal: journalOf(service, doc), outline, graph: parsed.graph }, source, needs);
  });
  return { ...seen, execution: { id, attempt: doc.attempt, createdAt: doc.createdAt.toISOString() } };
}

/** The samples of the steps that the expressions may read. */
async function samplesOf(service: ExecutionsService, { workspaceId, workflowId }: Tried, { names, steps }: Needs) {
  if (!names.has("steps")) return {};
  const wanted = { workspaceId, workflowId, ...(steps && { nodeIds: [...steps].slice(0, 1_000) }) };
  const { values } = await call(service.broker, "workflows.samples.read", wanted);
  return values;
}

/**
 * The scope for a test of one step outside of a run. Given values come first, then samples, then those of a run. Large
 * values are references.
 * @throws {AppError} not_found for a run, an item or a workflow that does not exist, payload_too_large
 */
export async function trialScope(
  service: ExecutionsService,
  tried: Tried,
  { source, given, needs }: { source: Source; given: GivenValues; needs: Needs },
): Promise<ValueScope> {
  const { item, index, loop } = given;
  const seen = await ofRun(service, tried, source, needs);
  const samples = source.samples ? await samplesOf(service, tried, needs) : {};
  const steps = Object.assign(Object.create(null) as Record<string, unknown>, seen.steps, samples, given.steps);
  return {
    ...seen,
    steps,
    ...(given.input !== undefined && { input: given.input }),
    ...(item !== undefined && { item, index: index ?? 0 }),
    ...(loop !== undefined && { loop }),
    ...(item === undefined && index !== undefined && { index }),
  };
}

/**
 * What expressions can read about the workflow.
 * @throws {AppError} not_found, workflow_trashed
 */
export async function triedWorkflow(
  { broker }: ExecutionsService,
  { workspaceId, spaceId, workflowId }: Tried,
): Promise<{ id: string; name: string; version: number }> {
  const [{ version }, [named]] = await Promise.all([
    call(broker, "workflows.runnable", { workspaceId, spaceId, workflowId }),
    call(broker, "workflows.names", { workspaceId, ids: [workflowId] }),
  ]);
  return { id: workflowId, name: named?.name ?? "", version };
}
