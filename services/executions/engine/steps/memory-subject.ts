import type { StepContext } from "./step.ts";

/**
 * Whom the memories of a step are about: who it names, else who started the run. Undefined below a schedule or webhook: that
 * runs for others than the user who made it, whose memories they must not read.
 */
export const memorySubjectOf = (doc: StepContext["doc"], named: string | undefined): string | undefined =>
  named ?? (doc.deployed ? undefined : doc.startedBy);

export const NO_SUBJECT =
  "Required: this run was started by a schedule or webhook, so it has no user whose memories it could use";
