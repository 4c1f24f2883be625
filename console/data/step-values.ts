import { queryOptions } from "@tanstack/react-query";
import type { ExecutionSummary, PreviewedValue, StepTest } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import type { ChosenSample, StepPath } from "./run-types.ts";
import { callOf, type FlowAddress, keyOf, samplesQuery } from "./samples.ts";

export { type FlowAddress, samplesQuery } from "./samples.ts";

const runScope = ({ executionId, path }: ChosenSample) => ({
  samples: true,
  ...(executionId !== undefined && { executionId, path: [...path] }),
});

/** An example of the input, for when there is no run. */
function exampleInput({ executionId, example }: ChosenSample): { input?: unknown } {
  const input = executionId === undefined ? example() : undefined;
  return input === undefined ? {} : { input };
}

/** Evaluates texts as a step of the chosen run would. The results have the names that the caller gave the texts. */
export const previewTexts = (
  at: FlowAddress,
  nodeId: string,
  chosen: ChosenSample,
  values: Record<string, string>,
  signal: AbortSignal,
): Promise<PreviewedValue[]> =>
  weft.executions.preview(
    { ...callOf(at), values, scope: { ...runScope(chosen), ...exampleInput(chosen), nodeId } },
    { signal },
  );

/** Runs one step of a definition, which may be unsaved. Nothing is stored, but calls to the outside are real. */
export const testStep = (
  at: FlowAddress,
  nodeId: string,
  chosen: ChosenSample,
  definition: unknown,
  signal: AbortSignal,
): Promise<StepTest> =>
  weft.executions.test(
    { ...callOf(at), ...exampleInput(chosen), nodeId, definition, scope: runScope(chosen) },
    { signal },
  );

/** The value of a step's sample. Undefined if it has none. */
export async function readSample(at: FlowAddress, nodeId: string, signal: AbortSignal): Promise<unknown> {
  const { items } = await weft.workflows.samples.list({ ...callOf(at), nodeId, limit: 1 }, { signal });
  return items[0]?.value;
}

const renewSamples = (at: FlowAddress) => queryClient.invalidateQueries({ queryKey: samplesQuery(at).queryKey });

export async function pinSample(at: FlowAddress, nodeId: string, value: unknown): Promise<void> {
  await weft.workflows.samples.update({ ...callOf(at), nodeId, value });
  await renewSamples(at);
}

/** Pins the output of a step in a run as its sample. `path` names the items of the containers around the step. */
export async function pinOutput(at: FlowAddress, nodeId: string, executionId: string, path?: StepPath): Promise<void> {
  await weft.workflows.samples.update({ ...callOf(at), nodeId, executionId, ...(path && { path: [...path] }) });
  await renewSamples(at);
}

export async function unpinSample(at: FlowAddress, nodeId: string): Promise<void> {
  await weft.workflows.samples.remove({ ...callOf(at), nodeId });
  await renewSamples(at);
}

const RUNS = 10;

/** The last runs of a workflow. The user chooses the one whose values the fields show. */
export const runsOfQuery = (at: FlowAddress) =>
  queryOptions({
    queryKey: [...keyOf(at), "recent-runs"],
    queryFn: async ({ signal }): Promise<ExecutionSummary[]> => {
      const { workspaceId, workflowId } = at;
      return (await weft.executions.listAll({ workspaceId, workflowId, limit: RUNS }, { signal })).items;
    },
    staleTime: 10_000,
  });

export const runInput = async (at: FlowAddress, id: string, signal: AbortSignal): Promise<unknown> => {
  const { workspaceId, spaceId } = at;
  return (await weft.executions.get({ workspaceId, spaceId, id }, { signal })).input;
};

/** The output of a step in a run. Undefined if it has none. */
export async function runOutput(
  at: FlowAddress,
  { executionId, path }: ChosenSample,
  nodeId: string,
  signal: AbortSignal,
): Promise<unknown> {
  if (executionId === undefined) return undefined;
  const { workspaceId, spaceId } = at;
  const within = path.length > 0 ? { path: [...path] } : {};
  const found = await weft.executions.output({ workspaceId, spaceId, id: executionId, nodeId, ...within }, { signal });
  return found.output ?? undefined;
}
