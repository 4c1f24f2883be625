import type { ExecutionStep } from "../../sdk/definition.ts";

export type Step = ExecutionStep;
export type StepStatus = Step["status"];
export type StepPath = NonNullable<Step["path"]>;

/** The address of a run, which every call about it takes. */
export interface RunAddress {
  workspaceId: string;
  spaceId: string;
  id: string;
}

/** A level of a run: the run itself, the items of a map (the last part has no index), or the steps of one item. */
export type Level = readonly { nodeId: string; index?: number }[];

export interface StepsPage {
  steps: Step[];
  /** Whether there are more rows. */
  more: boolean;
}

/** The run, and the items of its maps, whose values the fields show. Without a run they show only samples. */
export interface ChosenSample {
  executionId: string | undefined;
  path: StepPath;
  /** An example of the input for a workflow that has not run. Undefined if there is no example. */
  example: () => unknown;
}
