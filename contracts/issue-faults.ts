import type { z } from "zod";
import type { Fault } from "./errors.ts";
import { messageOf } from "./issue-message.ts";
import { jsonPointer } from "./json-pointer.ts";

/** The most faults of one response. A longer list would not help the reader. */
const MAX_FAULTS = 50;

/** Converts one issue into faults that name one field each. Zod reports several unknown fields as one issue. */
function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  // The issue of the key says which keys are allowed.
  if (issue.code === "invalid_key" && issue.issues[0])
    return [{ path: jsonPointer(issue.path), message: messageOf(issue.issues[0]) }];
  if (issue.code !== "unrecognized_keys") return [{ path: jsonPointer(issue.path), message: messageOf(issue) }];
  return issue.keys.map(key => ({ path: jsonPointer([...issue.path, key]), message: "Unknown field" }));
}

/** The faults of each field, from the issues of a zod check. The paths are JSON Pointers. */
export const issueFaults = (issues: readonly z.core.$ZodIssue[]): Fault[] =>
  issues.slice(0, MAX_FAULTS).flatMap(faultsOf).slice(0, MAX_FAULTS);
