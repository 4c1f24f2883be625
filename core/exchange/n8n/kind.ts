import type { FlowKind } from "./flows.ts";
import type { Translation } from "./translation.ts";
import type { N8nNode } from "./workflow.ts";

/** A step of Weft: its type and its data. */
export interface Step {
  type: string;
  data: Record<string, unknown>;
  timeoutMs?: number;
}

/** Converts one type of n8n node to a step. */
export interface NodeKind extends FlowKind {
  /** @throws {Untranslatable} when a part of the node has no counterpart */
  translate(node: N8nNode, t: Translation): Step;
  /**
   * The handle of an output; undefined when it has none. Without this method, the first output has the handle `out`.
   */
  handle?(node: N8nNode, output: number): string | undefined;
  /** The step treats several items at once as n8n does. */
  takesLists?: boolean;
}
