import type { StepContext } from "./step.ts";

/**
 * The subject of a step's memories: the one that the step names, else the user who started the run. Undefined below a
 * schedule or webhook. Such a run serves other people than the user who made it, and must not read that user's
 * memories.
 */
export const memorySubjectOf = (doc: StepContext["doc"], named: string | undefined): string | undefined =>
  named ?? (doc.deployed ? undefined : doc.startedBy);

export const NO_SUBJECT =
  "Required: this run was started by a schedule or webhook, so it has no user whose memories it could use";
