/** A visible line of a JSON value. Members of collapsed values have no lines. */
export interface Line {
  /** The JSON Pointer of the value (RFC 6901). */
  pointer: string;
  depth: number;
  /** The key or index. Undefined for the whole value. */
  label: string | undefined;
  kind: "object" | "array" | "string" | "number" | "boolean" | "null";
  /** The number of members of an object or an array. */
  size: number;
  open: boolean;
  value: unknown;
}

const escaped = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");

function kindOf(value: unknown): Line["kind"] {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  const kind = typeof value;
  return kind === "object" || kind === "string" || kind === "number" || kind === "boolean" ? kind : "null";
}

const membersOf = (value: unknown): [string, unknown][] =>
  Array.isArray(value) ? value.map((member, n) => [String(n), member]) : Object.entries(value as object);

const sizeOf = (value: unknown): number => (Array.isArray(value) ? value.length : Object.keys(value as object).length);

/** The most lines that are shown. Users can download larger values. */
export const MAX_LINES = 200_000;
/** A value with more members than this starts collapsed, so that a large value opens quickly. */
const MANY = 100;
const DEPTH = 2;

export const isOpenAtFirst = (depth: number, size: number): boolean => depth < DEPTH && (depth === 0 || size <= MANY);

/** The visible lines of a value. `toggled` holds the pointers whose initial state the user reversed. */
export function linesOf(value: unknown, toggled: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  const add = (label: string | undefined, pointer: string, depth: number, member: unknown) => {
    if (lines.length >= MAX_LINES) return;
    const kind = kindOf(member);
    const isNested = kind === "object" || kind === "array";
    const size = isNested ? sizeOf(member) : 0;
    const open = isNested && isOpenAtFirst(depth, size) !== toggled.has(pointer);
    lines.push({ pointer, depth, label, kind, size, open, value: member });
    if (open) for (const [key, inner] of membersOf(member)) add(key, `${pointer}/${escaped(key)}`, depth + 1, inner);
  };
  add(undefined, "", 0, value);
  return lines;
}

const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** The toggled pointers after opening everything around the value at `pointer`. */
export function openedTo(value: unknown, toggled: ReadonlySet<string>, pointer: string): Set<string> {
  const next = new Set(toggled);
  let [member, at] = [value, ""];
  for (const [depth, part] of pointer.split("/").slice(1).entries()) {
    if (typeof member !== "object" || member === null) break;
    const openAtFirst = isOpenAtFirst(depth, membersOf(member).length);
    if (openAtFirst && next.has(at)) next.delete(at);
    if (!openAtFirst) next.add(at);
    member = (member as Record<string, unknown>)[unescaped(part)];
    at = `${at}/${part}`;
  }
  return next;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

const MAX_FOUND = 1_000;

/** The pointers of values whose key or text contains `words`, in order, at most 1,000. */
export function find(value: unknown, words: string): string[] {
  const wanted = words.toLowerCase();
  const found: string[] = [];
  const look = (label: string, pointer: string, member: unknown) => {
    if (found.length >= MAX_FOUND) return;
    const nested = typeof member === "object" && member !== null;
    if (label.toLowerCase().includes(wanted) || (!nested && textOf(member).toLowerCase().includes(wanted))) {
      found.push(pointer);
    }
    if (nested) for (const [key, inner] of membersOf(member)) look(key, `${pointer}/${escaped(key)}`, inner);
  };
  look("", "", value);
  return found;
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** The expression that gives a value, such as `steps.fetch.body[0].id`. `root` is the expression of the whole value. */
export const expressionOf = (root: string, pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map(unescaped)
    .reduce((text, part) => {
      if (/^\d+$/.test(part)) return `${text}[${part}]`;
      return IDENTIFIER.test(part) ? `${text}.${part}` : `${text}.\`${part}\``;
    }, root);
