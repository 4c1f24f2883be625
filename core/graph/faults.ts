import type { z } from "zod";
import type { DefinitionFault } from "../../contracts/entities/workflow.ts";

/** More faults than this help nobody. */
const MAX_FAULTS = 100;

/** What is found wrong with a definition, up to as much as helps. */
export class Faults {
  list: DefinitionFault[] = [];

  get areEnough(): boolean {
    return this.list.length >= MAX_FAULTS;
  }

  add(nodeId: string | null, path: string, message: string): void {
    if (!this.areEnough) this.list.push({ nodeId, path, message });
  }

  /** Issues of a zod check, but for those at a value that an expression will only give when it runs. */
  issues(nodeId: string | null, base: string, issues: z.core.$ZodIssue[], templated?: unknown): void {
    for (const issue of issues) {
      if (this.areEnough) return;
      if (templated !== undefined && isTemplated(templated, issue.path)) continue;
      this.add(nodeId, [base, ...issue.path.map(String)].filter(Boolean).join("."), issue.message);
    }
  }
}

function isTemplated(data: unknown, path: PropertyKey[]): boolean {
  let value = data;
  for (const key of path) {
    if (value === null || typeof value !== "object") break;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return typeof value === "string" && value.includes("{{");
}
