import type { Mock, TestRun } from "../../sdk/definition.ts";
import type { WorkflowAddress } from "./builder.ts";
import { weft } from "./client.ts";

export type { Mock, TestRun };
/** What a step does in a test run that reaches outside and has no mock. */
export type TrialCalls = "none" | "mocked" | "real";

export interface TrialGiven {
  input: unknown;
  calls: TrialCalls;
  /** Pinned samples stand in for steps that reach outside or wait. */
  samples: boolean;
  mocks: Record<string, Mock>;
  from?: string;
  until?: string;
}

/** Runs a definition that need not be saved in the memory of the service. Nothing of it is stored. */
export const tryWorkflow = (
  { workspaceId, spaceId, id }: WorkflowAddress,
  definition: unknown,
  given: TrialGiven,
  signal: AbortSignal,
): Promise<TestRun> =>
  weft.executions.testRun({ workspaceId, spaceId, workflowId: id, definition, ...given }, { signal });
