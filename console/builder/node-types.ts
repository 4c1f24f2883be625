/** The catalogue of step types, as returned by `GET /v1/node-types`. */
export interface NodeTypes {
  types: NodeType[];
  policySchema: Schema;
  settingsSchema: Schema;
  functions: { name: string; signature: string; docs: string }[];
}

export type Schema = Record<string, unknown>;
export type Category = "start" | "flow" | "data" | "people" | "outside" | "knowledge" | "end";

export interface Handle {
  id: string;
  title: string;
  tone: "neutral" | "good" | "bad";
  /** Whether a node that is added behind this one is connected to this handle. */
  default: boolean;
  /** Another handle that is always taken together with this one. */
  sameAs?: string | undefined;
}

export interface NodeType {
  type: string;
  category: Category;
  title: string;
  summary: string;
  docs: string;
  icon: string;
  keywords: string[];
  dataSchema: Schema;
  handles: Handle[] | { from: string; id: string; plus: string[] };
  outputSchema: Schema;
  literal: boolean;
  container: boolean;
  waits: boolean;
  onError: ("fail" | "continue" | "route")[];
  timeoutMs: number | null;
  policy: boolean;
  /** The field whose expressions are evaluated for each response. The step receives it unevaluated. */
  later: string | null;
  /** Whether a test of the step only shows the call that it would make. */
  shownInTests: boolean;
  /** The additional names that the expressions of steps inside it can read. */
  inside: string[];
  /** The additional names that its own expressions can read. */
  own: string[];
  limits: Record<string, number>;
  defaults: Record<string, unknown>;
  examples: { title: string; data: Record<string, unknown>; sample: unknown }[];
}
