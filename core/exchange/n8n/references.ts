import type { Source } from "./flow.ts";
import type { Js } from "./js-expression.ts";
import { field, type Typed, typed } from "./typed.ts";
import { Untranslatable } from "./untranslatable.ts";

/**
 * What an expression of n8n can refer to.
 * @throws {Untranslatable} from all members, when there is no counterpart
 */
export interface References {
  /** The value that flows into the node. */
  own(): Source;
  /** The value that flows out of the node with this name. */
  named(name: string): Source;
  /** Whether a node has run. */
  hasRun(name: string): Typed;
  /** The time zone in which times are read and shown; undefined for UTC. */
  zone?: string | undefined;
  /** Counts an expression of the workflow. Throws also when there are too many. */
  countExpression?(): void;
  /** Expressions can read the previous page's answer and its number. Set in a pagination. */
  seesPages?: boolean;
}

const isName = (js: Js, name: string) => js.kind === "name" && js.name === name;

/** The method, its object and its arguments, of a call such as `a.b(c)`. */
export function methodOf(js: Js): { object: Js; name: string; args: Js[] } | null {
  if (js.kind !== "call" || js.callee.kind !== "member" || typeof js.callee.name !== "string") return null;
  return { object: js.callee.object, name: js.callee.name, args: js.args };
}

/** The items that `$input`, `$("A")` and `$items("A")` stand for. */
function itemsOf(js: Js, to: References): (() => Source) | null {
  if (isName(js, "$input")) return () => to.own();
  if (js.kind !== "call" || js.callee.kind !== "name" || !["$", "$items"].includes(js.callee.name)) return null;
  const [name] = js.args;
  if (name?.kind !== "literal" || typeof name.value !== "string") {
    throw new Untranslatable("a node whose name is computed");
  }
  const { value } = name;
  return () => to.named(value);
}

const oneOfMany = (source: Source, index: number): Source => {
  if (!source.list && index > 0) throw new Untranslatable(`the item ${index} of a node that gives one`);
  if (!source.list) return source;
  return { jsonata: `${source.jsonata}[${index}]`, js: "", guard: source.guard, list: false };
};

const single = (source: Source): Source => {
  if (source.list) throw new Untranslatable("a single item of a node that gives several here");
  return source;
};

/** The item that an expression stands for: `$input.item`, `$("A").first()`, `$node["A"]`, `$items("A")[0]` … */
function itemOf(js: Js, to: References): Source | null {
  if (js.kind === "member") {
    if (isName(js.object, "$node") && typeof js.name === "string") return single(to.named(js.name));
    const all = methodOf(js.object);
    const many = all?.name === "all" ? itemsOf(all.object, to) : itemsOf(js.object, to);
    if (!many) return null;
    if (typeof js.name === "number") return oneOfMany(many(), js.name);
    return js.name === "item" ? single(many()) : null;
  }
  const method = methodOf(js);
  const many = method && itemsOf(method.object, to);
  if (!many || method.args.length > 0) return null;
  if (method.name === "first") return oneOfMany(many(), 0);
  return method.name === "last" ? oneOfMany(many(), many().list ? -1 : 0) : null;
}

/** The item, if the whole expression stands for the `json` of an item; null for any other expression. */
function jsonOf(js: Js, to: References): Source | null {
  if (isName(js, "$json")) return single(to.own());
  return js.kind === "member" && js.name === "json" ? itemOf(js.object, to) : null;
}

const ANSWERED = new Map([
  ["body", "response.body"],
  ["headers", "response.headers"],
  ["statusCode", "response.status"],
]);

/** `$pageCount`, or a member of `$response`; null for anything else. */
function ofPage(js: Js): Typed | null {
  if (isName(js, "$pageCount")) return typed("response.page", "number", true);
  if (js.kind !== "member" || !isName(js.object, "$response")) return null;
  const place = ANSWERED.get(String(js.name));
  if (place === undefined) throw new Untranslatable(`\`$response.${js.name}\``);
  return typed(place, js.name === "statusCode" ? "number" : "any", true);
}

/** A reference to the output of another node, or a field of it; null for anything else. */
export function reference(js: Js, to: References): Typed | null {
  const page = to.seesPages ? ofPage(js) : null;
  if (page) return page;
  const whole = jsonOf(js, to);
  if (whole) return typed(whole.jsonata, "object", true);
  if (js.kind !== "member") return null;
  const owner = jsonOf(js.object, to);
  if (owner) {
    if (!owner.fields) return field(typed(owner.jsonata, "object", true), js.name);
    const place = Object.hasOwn(owner.fields, js.name) ? owner.fields[js.name] : undefined;
    if (!place) throw new Untranslatable(`\`${js.name}\` of a node that has no such field here`);
    return typed(place.jsonata, "any", true);
  }
  const ran = js.name === "isExecuted" && js.object.kind === "call" ? js.object : null;
  const [name] = ran && isName(ran.callee, "$") ? ran.args : [];
  return name?.kind === "literal" && typeof name.value === "string" ? to.hasRun(name.value) : null;
}
