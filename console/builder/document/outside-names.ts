/**
 * Finds the names that a part of a workflow reads from outside, and changes it to read them from its input, so that it
 * can become a workflow of its own. It compares tokens and does not parse, because only the service evaluates
 * expressions.
 */
import { isRecord } from "../../data/json.ts";
import { asName, escaped, type Token, tokensOf, unquoted } from "./references.ts";

/** Names of the scope whose value differs in another workflow. `vars` and `secrets` are the same there. */
const ROOTS = ["input", "item", "index", "loop", "trigger"] as const;
const isRoot = (word: string): boolean => (ROOTS as readonly string[]).includes(word);

/** A name that a part reads from outside: a step, or a name of the scope. */
export interface OutsideName {
  kind: "step" | "root";
  name: string;
}
interface NameRange extends OutsideName {
  from: number;
  to: number;
}

const ENDS_VALUE = /^(?:[\w$\u0080-\uffff].*|["'`].*|[)\]}])$/s;

/** Where the expressions of a text read the scope itself. Names in predicates or behind a dot belong to a value. */
function placesIn(text: string): NameRange[] {
  const found: NameRange[] = [];
  for (let open = text.indexOf("{{"); open >= 0;) {
    const { tokens, end } = tokensOf(text, open + 2);
    const inValue: boolean[] = [];
    tokens.forEach(({ text: word, from }, n) => {
      const before = tokens[n - 1]?.text;
      const around = inValue.at(-1) ?? false;
      if (word === "[") inValue.push(around || (before !== undefined && ENDS_VALUE.test(before)));
      else if (word === "(" || word === "{") inValue.push(around || before === ".");
      else if (word === ")" || word === "]" || word === "}") inValue.pop();
      const isScope = before === "." ? tokens[n - 2]?.text === "$$" : !around;
      if (!isScope || /^["']/.test(word)) return;
      const name = unquoted(word);
      const at = nameBehind(tokens, n);
      if (name === "steps" && at)
        found.push({ kind: "step", name: unquoted(at.text), from, to: at.from + at.text.length });
      else if (isRoot(name)) found.push({ kind: "root", name, from, to: from + word.length });
    });
    open = text.indexOf("{{", end);
  }
  return found;
}

function nameBehind(tokens: readonly Token[], n: number): Token | undefined {
  const named = tokens[n + 2];
  return tokens[n + 1]?.text === "." && named && /^["'`\w$\u0080-\uffff]/.test(named.text) ? named : undefined;
}

const inCode = (name: OutsideName, code: string): boolean =>
  name.kind === "root"
    ? new RegExp(String.raw`(?<![\w$.])${name.name}(?![\w$])`).test(code)
    : new RegExp(
        String.raw`(?<![\w$.])steps\??\.?(?:${escaped(name.name)}(?![\w$])|\[\s*(["'\`])${escaped(name.name)}\1)`,
      ).test(code);

/** The outside names that a value of any depth reads. `literal` says that its texts are code. */
export function outsideNames(value: unknown, around: readonly string[], literal: boolean): OutsideName[] {
  const known: readonly OutsideName[] = [
    ...around.map(name => ({ kind: "step" as const, name })),
    ...ROOTS.map(name => ({ kind: "root" as const, name })),
  ];
  const found = new Set<OutsideName>();
  const look = (part: unknown): void => {
    if (typeof part === "string") {
      const places = literal ? [] : placesIn(part);
      for (const name of known) {
        const isNamed = literal
          ? inCode(name, part)
          : places.some(one => one.kind === name.kind && one.name === name.name);
        if (isNamed) found.add(name);
      }
    } else if (Array.isArray(part)) part.forEach(look);
    else if (isRecord(part)) Object.values(part).forEach(look);
  };
  look(value);
  return [...found];
}

/** The keys of the input that replace the names. */
export type Keys = ReadonlyMap<string, string>;
export const keyOf = ({ kind, name }: OutsideName): string => `${kind} ${name}`;

function codeFromInput(code: string, names: readonly OutsideName[], keys: Keys): string {
  const read = (name: OutsideName) => `outer.input[${JSON.stringify(keys.get(keyOf(name)))}]`;
  const roots = names.filter(({ kind }) => kind === "root").map(one => `const ${one.name} = ${read(one)};`);
  const steps = names.filter(({ kind }) => kind === "step").map(one => `${JSON.stringify(one.name)}: ${read(one)}`);
  const own = steps.length > 0 ? [`const steps = { ...outer.steps, ${steps.join(", ")} };`] : [];
  return ["const outer = { input, steps };", "{", ...[...roots, ...own].map(line => `  ${line}`), code, "}"].join("\n");
}

/** Changes a value to read from the input what it read from outside. Unchanged parts stay the same objects. */
export function readFromInput(value: unknown, keys: Keys, around: readonly string[], literal: boolean): unknown {
  const change = (part: unknown): unknown => {
    if (typeof part === "string") {
      if (literal) {
        const names = outsideNames(part, around, true).filter(one => keys.has(keyOf(one)));
        return names.length === 0 ? part : codeFromInput(part, names, keys);
      }
      return placesIn(part)
        .filter(place => keys.has(keyOf(place)))
        .reduceRight(
          (text, place) =>
            `${text.slice(0, place.from)}input.${asName(keys.get(keyOf(place))!)}${text.slice(place.to)}`,
          part,
        );
    }
    if (Array.isArray(part)) {
      const items = part.map(change);
      return items.some((item, n) => item !== part[n]) ? items : part;
    }
    if (!isRecord(part)) return part;
    const entries = Object.entries(part).map(([key, inner]) => [key, change(inner)] as const);
    return entries.some(([key, inner]) => inner !== part[key]) ? Object.fromEntries(entries) : part;
  };
  return change(value);
}
