/**
 * Finds where expressions name a step as `steps.<id>`. It compares tokens, because the page has no parser: only the
 * service evaluates expressions.
 */

const TOKEN =
  /\s+|\/\*[^]*?\*\/|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|`[^`]*`|[^\s.[\](){},;:?+\-*/%|=<>!&~@#^"'`]+|[^]/y;
const SPACE = /^(?:\s|\/\*)/;
const NAME = /^[A-Za-z_$][\w$]*$/;
/** Words of JSONata, which are names only between backticks. */
const WORDS: ReadonlySet<string> = new Set(["and", "or", "in", "true", "false", "null", "function"]);

export interface Token {
  text: string;
  from: number;
}

/** The tokens of the expression that starts at `from`, up to its `}}` or the end of the text. */
export function tokensOf(text: string, from: number): { tokens: Token[]; end: number } {
  const tokens: Token[] = [];
  let depth = 0;
  let at = from;
  while (at < text.length) {
    if (depth === 0 && text.startsWith("}}", at)) return { tokens, end: at + 2 };
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text)?.[0] ?? text[at]!;
    if (found === "{") depth++;
    if (found === "}") depth--;
    if (!SPACE.test(found)) tokens.push({ text: found, from: at });
    at += found.length;
  }
  return { tokens, end: at };
}

export const unquoted = (text: string): string => (/^["'`]/.test(text) ? text.slice(1, -1) : text);

/** The id of a step as expressions write it after `steps.`. Ids that are not names get backticks. */
export const asName = (id: string): string => (NAME.test(id) && !WORDS.has(id) ? id : `\`${id}\``);

export interface Reference {
  id: string;
  from: number;
  to: number;
}

/** Where the expressions between double braces in a text name steps. */
export function referencesIn(text: string): Reference[] {
  const found: Reference[] = [];
  for (let open = text.indexOf("{{"); open >= 0;) {
    const { tokens, end } = tokensOf(text, open + 2);
    tokens.forEach(({ text: word }, n) => {
      if (unquoted(word) !== "steps" || /^["']/.test(word) || tokens[n + 1]?.text !== ".") return;
      // In `order.steps`, `steps` is a field of a value. In `$$.steps` it is the name of the scope.
      if (tokens[n - 1]?.text === "." && tokens[n - 2]?.text !== "$$") return;
      const named = tokens[n + 2];
      if (!named || !/^["'`\w$\u0080-\uffff]/.test(named.text)) return;
      found.push({ id: unquoted(named.text), from: named.from, to: named.from + named.text.length });
    });
    open = text.indexOf("{{", end);
  }
  return found;
}

export const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Replaces the id of a step in the text of an expression field. */
function renamedInText(text: string, from: string, to: string): string {
  return referencesIn(text)
    .filter(({ id }) => id === from)
    .reduceRight((all, at) => all.slice(0, at.from) + asName(to) + all.slice(at.to), text);
}

/** Replaces the id of a step in JavaScript: `steps.old` and `steps["old"]`. */
function renamedInCode(code: string, from: string, to: string): string {
  const id = escaped(from);
  const member = NAME.test(to) ? `.${to}` : `[${JSON.stringify(to)}]`;
  const optional = NAME.test(to) ? `?.${to}` : `?.[${JSON.stringify(to)}]`;
  return code
    .replaceAll(
      new RegExp(String.raw`(?<![\w$.])steps(\?)?\.${id}(?![\w$])`, "g"),
      (_, mark) => `steps${mark ? optional : member}`,
    )
    .replaceAll(
      new RegExp(String.raw`(?<![\w$.])steps(\?\.)?\[\s*(["'\`])${id}\2\s*\]`, "g"),
      (_, mark: string | undefined) => `steps${mark ?? ""}[${JSON.stringify(to)}]`,
    );
}

/** Replaces the id of a step in a value of any depth. Unchanged parts stay the same objects. */
export function renamedIn(value: unknown, from: string, to: string, literal: boolean): unknown {
  if (typeof value === "string") return literal ? renamedInCode(value, from, to) : renamedInText(value, from, to);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(item => renamedIn(item, from, to, literal));
    return items.some((item, n) => item !== value[n]) ? items : value;
  }
  const entries = Object.entries(value).map(([key, part]) => [key, renamedIn(part, from, to, literal)] as const);
  return entries.some(([key, part]) => part !== (value as Record<string, unknown>)[key])
    ? Object.fromEntries(entries)
    : value;
}
