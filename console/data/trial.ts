import type { Mock, TestRun } from "../../sdk/definition.ts";
import type { WorkflowAddress } from "./builder.ts";
import { weft } from "./client.ts";

export type { Mock, TestRun };
/** What a step that reaches outside and has no mock does in a test run. */
export type TrialCalls = "none" | "mocked" | "real";

export interface TrialGiven {
  input: unknown;
  calls: TrialCalls;
  /** Whether pinned samples replace steps that reach outside or wait. */
  samples: boolean;
  mocks: Record<string, Mock>;
  from?: string;
  until?: string;
}

/** Runs a definition, which may be unsaved, in the memory of the service. Nothing is stored. */
export const tryWorkflow = (
  { workspaceId, spaceId, id }: WorkflowAddress,
  definition: unknown,
  given: TrialGiven,
  signal: AbortSignal,
): Promise<TestRun> =>
  weft.executions.testRun({ workspaceId, spaceId, workflowId: id, definition, ...given }, { signal });
