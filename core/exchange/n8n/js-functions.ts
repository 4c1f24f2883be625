import type { Js } from "./js-expression.ts";
import { methodOf } from "./references.ts";
import { call, field, part, type Typed, typed } from "./typed.ts";
import { shown, Untranslatable } from "./untranslatable.ts";

type Call = Extract<Js, { kind: "call" }>;

/** JavaScript functions that JSONata has under another name, by their callee and the number of arguments. */
const FUNCTIONS: Record<string, [name: string, args: number, type: Typed["type"]]> = {
  "Math.floor": ["floor", 1, "number"],
  "Math.ceil": ["ceil", 1, "number"],
  "Math.abs": ["abs", 1, "number"],
  "Math.sqrt": ["sqrt", 1, "number"],
  "Object.keys": ["keys", 1, "list"],
  "Date.now": ["millis", 0, "number"],
  encodeURIComponent: ["encodeUrlComponent", 1, "text"],
  decodeURIComponent: ["decodeUrlComponent", 1, "text"],
};

/** Methods of `self` by name, with these arguments. */
const METHODS: Record<string, (self: Typed, args: Typed[]) => Typed | null> = {
  toUpperCase: (self, args) => (args.length === 0 ? call("uppercase", [self], "text") : null),
  toLowerCase: (self, args) => (args.length === 0 ? call("lowercase", [self], "text") : null),
  toString: (self: Typed, args: Typed[]) =>
    args.length === 0 && self.type !== "object" && self.type !== "list" ? call("string", [self], "text") : null,
  includes: (self, args) => includes(self, args),
  startsWith: (self, [start, ...more]) => (start && more.length === 0 ? startsWith(self, start) : null),
  endsWith: (self, [end, ...more]) => (end && more.length === 0 ? endsWith(self, end) : null),
  split: (self, args) =>
    args.length === 1 && args[0]!.type === "text" ? call("split", [self, args[0]!], "list") : null,
  join: (self, [by, ...more]) => (by?.type === "text" && more.length === 0 ? join(self, by) : null),
};

function includes(self: Typed, args: Typed[]): Typed | null {
  const [what] = args;
  if (!what || args.length !== 1) return null;
  if (self.type === "text") return call("contains", [self, what], "boolean");
  const inList = `${part(what)} in ${part(self)}`;
  if (self.type === "list") return typed(inList, "boolean");
  return typed(`$type(${self.text}) = "array" ? ${inList} : $contains(${self.text}, ${what.text})`, "boolean");
}

export const startsWith = (text: Typed, start: Typed): Typed =>
  typed(`$substring(${text.text}, 0, $length(${start.text})) = ${part(start)}`, "boolean");

export const endsWith = (text: Typed, end: Typed): Typed =>
  typed(
    `$length(${text.text}) >= $length(${end.text}) and ` +
      `$substring(${text.text}, $length(${text.text}) - $length(${end.text})) = ${part(end)}`,
    "boolean",
  );

const join = (list: Typed, by: Typed): Typed =>
  typed(`$join($map(${list.text}, function($one) { $string($one) }), ${by.text})`, "text", true);

const nameOf = (js: Js): string | null =>
  js.kind === "name"
    ? js.name
    : js.kind === "member" && js.object.kind === "name" && typeof js.name === "string"
      ? `${js.object.name}.${js.name}`
      : null;

/**
 * Translates a call to JSONata. `into` converts its parts.
 * @throws {Untranslatable} when JSONata has no counterpart
 */
export function callOf(js: Call, into: (js: Js) => Typed): Typed {
  const name = nameOf(js.callee);
  const known = name !== null && !js.isNew && Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name]! : null;
  if (known && known[1] === js.args.length) return call(known[0], js.args.map(into), known[2]);
  const method = methodOf(js);
  if (method && name === "JSON.stringify" && js.args.length === 1) {
    const value = into(js.args[0]!);
    // For a text, `$string` would return the text itself, without quotes.
    if (value.type === "object" || value.type === "list") return call("string", [value], "text");
  }
  if (method && Object.hasOwn(METHODS, method.name)) {
    const made = METHODS[method.name]!(into(method.object), method.args.map(into));
    if (made) return made;
  }
  throw new Untranslatable(`\`${shown(method ? `${rootOf(method.object)}.${method.name}(…)` : `${name ?? ""}(…)`)}\``);
}

/** The start of a chain of fields and calls, for error messages. */
function rootOf(js: Js): string {
  if (js.kind === "member") return rootOf(js.object);
  if (js.kind === "call") return rootOf(js.callee);
  return js.kind === "name" ? js.name : "…";
}

/** Values of n8n about the run and the workflow that Weft provides as well. */
const GLOBALS: Record<string, [object: string, name: string]> = {
  "$execution.id": ["execution", "id"],
  "$workflow.id": ["workflow", "id"],
  "$workflow.name": ["workflow", "name"],
};

export function globalOf(js: Js): Typed | null {
  const name = nameOf(js);
  if (name === null || !Object.hasOwn(GLOBALS, name)) return null;
  const [object, of] = GLOBALS[name]!;
  return field(typed(object, "object", true), of);
}
