import type { z } from "zod";
import type { Fault } from "./errors.ts";

/** More faults than this help nobody. */
const MAX_FAULTS = 50;

/** What is wrong with which field, from the issues of a zod check. */
export const issueFaults = (issues: readonly z.core.$ZodIssue[]): Fault[] =>
  issues.slice(0, MAX_FAULTS).map(issue => ({
    path: [...issue.path, ...("keys" in issue ? [issue.keys.join(", ")] : [])].join("."),
    message: issue.message,
  }));
