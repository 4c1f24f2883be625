import { words } from "../messages/en-inspector.ts";
import { nameInExpression, typedAt } from "./path.ts";
import { briefly, declaredAt, keysAt } from "./sample.ts";
import type { Language } from "./tokens.ts";

export interface ScopeStep {
  id: string;
  name: string;
  /** Why the output of the step is not available. Undefined if it is. */
  useless: string | undefined;
}

export interface ScopeFunction {
  /** Including the dollar sign. */
  name: string;
  signature: string;
  docs: string;
}

/** What an expression of a step can read, as far as the page knows. */
export interface EditorScope {
  names: readonly { name: string; docs: string }[];
  steps: readonly ScopeStep[];
  functions: readonly ScopeFunction[];
  /** Returns the sample: an object with the names of the scope. It is called only when something is completed. */
  sample: () => Readonly<Record<string, unknown>>;
  /** Resolves when the values that `sample` requested have arrived. Undefined if none is missing. */
  missing?: () => Promise<void> | undefined;
  /** Returns the schema of a step's output. */
  schemaOf: (stepId: string) => unknown;
}

export interface Option {
  label: string;
  /** The text that replaces the typed part. With `dot`, it also replaces the dot before it. */
  apply: string;
  dot?: boolean;
  type: "name" | "step" | "key" | "function" | "useless";
  detail: string;
  info?: string;
}

export interface Completion {
  from: number;
  dot: number | undefined;
  options: Option[];
}

const PLAIN = /^[A-Za-z_$][\w$]*$/;

function keyOption(name: string, detail: string, type: Option["type"], language: Language, info?: string): Option[] {
  const more = { type, detail, ...(info && { info }) };
  if (language === "javascript" && !PLAIN.test(name)) {
    return [{ label: name, apply: `[${JSON.stringify(name)}]`, dot: true, ...more }];
  }
  const apply = language === "javascript" ? name : nameInExpression(name);
  return apply === undefined ? [] : [{ label: name, apply, ...more }];
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

function declaredOption(name: string, schema: Readonly<Record<string, unknown>>, language: Language): Option[] {
  const type = [schema.type].flat().filter(one => typeof one === "string");
  return keyOption(name, type.join(" | "), "key", language, textOf(schema.description));
}

function stepOptions(scope: EditorScope, language: Language): Option[] {
  const of = ({ id, name, useless }: ScopeStep) =>
    keyOption(id, useless ?? (name === id ? "" : name), useless === undefined ? "step" : "useless", language, name);
  const [near, far] = [scope.steps.filter(one => one.useless === undefined), scope.steps.filter(one => one.useless)];
  return [...near, ...far].flatMap(of);
}

const functionOptions = (scope: EditorScope): Option[] =>
  scope.functions.map(({ name, signature, docs }) => ({
    label: name,
    apply: `${name}(`,
    type: "function",
    detail: signature.startsWith(name) ? signature.slice(name.length) : signature,
    info: docs,
  }));

/** The possible completions at a position of an expression, in the order in which they are offered. */
export function completionAt(text: string, at: number, language: Language, scope: EditorScope): Completion | undefined {
  const typed = typedAt(text, at, language);
  if (!typed) return undefined;
  const { kind, base, from, dot } = typed;
  const functions = language === "javascript" ? [] : functionOptions(scope);
  if (kind === "function") return { from, dot, options: functions };
  if (!base) return undefined;
  if (base.length === 0) {
    const names = scope.names.flatMap(({ name, docs }) => keyOption(name, words.scopeName, "name", language, docs));
    return { from, dot, options: dot === undefined ? [...names, ...functions] : names };
  }
  if (base.length === 1 && base[0] === "steps") return { from, dot, options: stepOptions(scope, language) };
  const keys = keysAt(scope.sample(), base);
  const options = [...keys].flatMap(([name, value]) => keyOption(name, briefly(value), "key", language));
  const [root, step] = base;
  if (root === "steps" && typeof step === "string") {
    for (const [name, schema] of declaredAt(scope.schemaOf(step), base.slice(2))) {
      if (!keys.has(name)) options.push(...declaredOption(name, schema, language));
    }
  }
  return { from, dot, options };
}
