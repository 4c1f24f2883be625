import type { SecretValues } from "./secret-path.ts";

/** What an expression can read. All of it is JSON and read-only. */
export interface Scope {
  input: unknown;
  /** Outputs by node id. */
  steps: Record<string, unknown>;
  item?: unknown;
  index?: unknown;
  /** `{index, carry}` of the innermost loop around the step. */
  loop?: unknown;
  execution?: unknown;
  workflow?: unknown;
  trigger?: unknown;
  /** The variables of the space. */
  vars?: unknown;
  /** The answer to the previous page. Only the expressions of a pagination can read it. */
  response?: unknown;
  /** Only expressions of the form `secrets.<name>.<field>` read it. `pickScope` leaves it out. */
  secrets?: SecretValues;
}

export type ScopeName = Exclude<keyof Scope, "secrets">;

export const SCOPE_NAMES: readonly ScopeName[] = [
  "input",
  "steps",
  "item",
  "index",
  "loop",
  "execution",
  "workflow",
  "trigger",
  "vars",
];

/** The names that expressions can read. `response` has a value only in a pagination. */
export const READ_NAMES: readonly ScopeName[] = [...SCOPE_NAMES, "response"];

export const isReadName = (name: unknown): name is ScopeName => READ_NAMES.includes(name as ScopeName);

/** Whether the name has a value in the expressions of every step. */
export const isScopeName = (name: unknown): name is ScopeName => SCOPE_NAMES.includes(name as ScopeName);

/** Copies the scope with only these names, so that expressions cannot see other properties of the caller's object. */
export function pickScope(scope: Scope, names: readonly ScopeName[]): Partial<Scope> {
  const picked: Partial<Record<ScopeName, unknown>> = {};
  for (const name of names) {
    if (scope[name] !== undefined) picked[name] = scope[name];
  }
  return picked as Partial<Scope>;
}
