import { words } from "../messages/en-inspector.ts";
import { nameInExpression, typedAt } from "./path.ts";
import { briefly, declaredAt, keysAt } from "./sample.ts";
import type { Language } from "./tokens.ts";

export interface ScopeStep {
  id: string;
  name: string;
  /** Undefined for a step that leads here; else why its output is not there. */
  useless: string | undefined;
}

export interface ScopeFunction {
  /** With its dollar sign. */
  name: string;
  signature: string;
  docs: string;
}

/** What an expression of a step can read, as far as the page knows it. */
export interface EditorScope {
  names: readonly { name: string; docs: string }[];
  steps: readonly ScopeStep[];
  functions: readonly ScopeFunction[];
  /** The sample: an object with the names of the scope. It is read when something is completed, and not before. */
  sample: () => Readonly<Record<string, unknown>>;
  /** Resolves when the values that `sample` has asked for are there. Undefined where none is missing. */
  missing?: () => Promise<void> | undefined;
  /** The schema of a step's output. */
  schemaOf: (stepId: string) => unknown;
}

export interface Option {
  label: string;
  /** The text that takes the place of what is typed, and of the dot before it where `dot` says so. */
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

/** What can stand at a place of an expression. Options are in the order in which they are offered. */
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
