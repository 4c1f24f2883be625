import type { z } from "zod";
import type { DefinitionFault } from "../../contracts/entities/workflow.ts";
import { messageOf } from "../../contracts/issue-message.ts";
import { jsonPointer } from "../../contracts/json-pointer.ts";

/** The most faults that are reported, because longer lists do not help. */
export const MAX_FAULTS = 100;

/** A function makes a message that is expensive, such as one with a suggestion. Only reported faults call it. */
type Message = string | (() => string);

/** The faults of a definition, up to a useful number. Paths are JSON Pointers into the definition. */
export class Faults {
  list: DefinitionFault[] = [];
  /** Probable mistakes. They do not prevent a run. */
  warnings: DefinitionFault[] = [];

  get areEnough(): boolean {
    return this.list.length >= MAX_FAULTS;
  }

  add(nodeId: string | null, path: readonly PropertyKey[], message: Message): void {
    this.addAt(nodeId, path, "", message);
  }

  warn(nodeId: string | null, base: readonly PropertyKey[], message: string, pointer = ""): void {
    if (this.warnings.length < MAX_FAULTS) this.warnings.push({ nodeId, path: jsonPointer(base) + pointer, message });
  }

  /** Adds a fault at a pointer that is relative to `base`. */
  addAt(nodeId: string | null, base: readonly PropertyKey[], pointer: string, message: Message, code?: string): void {
    if (this.areEnough) return;
    const text = typeof message === "string" ? message : message();
    this.list.push({ nodeId, path: jsonPointer(base) + pointer, message: text, ...(code !== undefined && { code }) });
  }

  /** Adds the issues of a zod check, except issues at values that an expression computes at run time. */
  issues(nodeId: string | null, base: readonly PropertyKey[], issues: z.core.$ZodIssue[], templated?: unknown): void {
    for (const issue of issues) {
      if (this.areEnough) return;
      if (templated !== undefined && isTemplated(templated, issue.path)) continue;
      const at = [...base, ...issue.path];
      if (issue.code !== "unrecognized_keys") this.add(nodeId, at, messageOf(issue));
      else for (const key of issue.keys) this.add(nodeId, [...at, key], `Unknown key \`${key}\`.`);
    }
  }
}

/** Whether the value at a path, or a value that contains it, is an expression. */
export function isTemplated(data: unknown, path: readonly PropertyKey[]): boolean {
  let value = data;
  for (const key of path) {
    if (value === null || typeof value !== "object") break;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return typeof value === "string" && value.includes("{{");
}
