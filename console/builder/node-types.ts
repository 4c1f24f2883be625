/** The catalogue of step types, as `GET /v1/node-types` gives it. */
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
  /** A node that is added behind this one is connected to it. */
  default: boolean;
  /** The handle that is taken together with this one. */
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
  /** The field whose expressions are evaluated for each response. The step gets it as it stands. */
  later: string | null;
  /** A test of the step shows what it would call, and does not call it. */
  shownInTests: boolean;
  /** The names that the expressions of steps inside it also see. */
  inside: string[];
  /** The names that its own expressions also see. */
  own: string[];
  limits: Record<string, number>;
  defaults: Record<string, unknown>;
  examples: { title: string; data: Record<string, unknown>; sample: unknown }[];
}
