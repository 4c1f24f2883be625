import type { ExecutionStep } from "../../sdk/definition.ts";

export type Step = ExecutionStep;
export type StepStatus = Step["status"];
export type StepPath = NonNullable<Step["path"]>;

/** Where a run is. Every call about a run takes it. */
export interface RunAddress {
  workspaceId: string;
  spaceId: string;
  id: string;
}

/** A level of a run: the run itself, the items of a map (no index in the last part), or the steps of one item. */
export type Level = readonly { nodeId: string; index?: number }[];

export interface StepsPage {
  steps: Step[];
  /** There are more rows than these. */
  more: boolean;
}

/** The run, and the items of its maps, whose values fields show. Without a run, samples alone. */
export interface ChosenSample {
  executionId: string | undefined;
  path: StepPath;
  /** The input of a run that there could be, for a workflow that has not run. Undefined where nothing says it. */
  example: () => unknown;
}
