import type { Flow } from "./flow.ts";
import type { Flows } from "./flows.ts";
import type { Translation } from "./translation.ts";
import type { N8nNode } from "./workflow.ts";

/** A step of ours: what it is and what it takes. */
export interface Step {
  type: string;
  data: Record<string, unknown>;
  timeoutMs?: number;
}

/** How a type of node of n8n is said here. */
export interface NodeKind {
  /** Errors: Untranslatable, whatever of the node cannot be said. */
  translate(node: N8nNode, t: Translation): Step;
  /** What flows out of it, where that is something else than its step's output. */
  gives?(node: N8nNode, flows: Flows): Flow;
  /** The handle that an output leaves by; undefined where there is none. Without it the first is `out`. */
  handle?(node: N8nNode, output: number): string | undefined;
  /** The number of its outputs, the one for errors not counted; 1 without it. */
  outputs?(node: N8nNode): number;
  /** It sends what comes by one of its outputs only. */
  chooses?: boolean;
  /** It does with several items at once what n8n does with them. */
  takesLists?: boolean;
}
