import type { FlowKind } from "./flows.ts";
import type { Translation } from "./translation.ts";
import type { N8nNode } from "./workflow.ts";

/** A step of ours: what it is and what it takes. */
export interface Step {
  type: string;
  data: Record<string, unknown>;
  timeoutMs?: number;
}

/** How one type of n8n's nodes becomes a step. */
export interface NodeKind extends FlowKind {
  /** @throws {Untranslatable} when a part of the node has no counterpart */
  translate(node: N8nNode, t: Translation): Step;
  /** The handle that an output leaves by; undefined where there is none. Without it the first is `out`. */
  handle?(node: N8nNode, output: number): string | undefined;
  /** It does with several items at once what n8n does with them. */
  takesLists?: boolean;
}
