import type { z } from "zod";
import type { Fault } from "./errors.ts";
import { jsonPointer } from "./json-pointer.ts";

/** More faults than this help nobody. */
const MAX_FAULTS = 50;

/** An issue as faults, of which each names one field: those that are not known come from zod as one issue. */
function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code !== "unrecognized_keys") return [{ path: jsonPointer(issue.path), message: issue.message }];
  return issue.keys.map(key => ({ path: jsonPointer([...issue.path, key]), message: "Unknown field" }));
}

/** What is wrong with which field, from the issues of a zod check. The paths are JSON Pointers. */
export const issueFaults = (issues: readonly z.core.$ZodIssue[]): Fault[] =>
  issues.slice(0, MAX_FAULTS).flatMap(faultsOf).slice(0, MAX_FAULTS);
