import { isObject } from "../../../json.ts";
import type { NodeKind } from "../kind.ts";
import { constant, isExpression, wholeExpression } from "../parameter.ts";
import { listAt, objectAt, textAt, type Translation } from "../translation.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

interface Assignment {
  name: string;
  type: string;
  value: unknown;
}

/** The assignments of the node, in one form for all three versions. */
function assignmentsOf({ parameters }: N8nNode): Assignment[] {
  const newest = listAt(parameters, "assignments", "assignments");
  if (newest.length > 0)
    return newest.map(({ name, type, value }) => ({ name: textAt(name, ""), type: textAt(type, "string"), value }));
  const newer = listAt(parameters, "fields", "values");
  if (newer.length > 0) {
    return newer.map(one => {
      const type = textAt(one.type, "stringValue");
      return { name: textAt(one.name, ""), type: type.replace(/Value$/, ""), value: one[type] };
    });
  }
  return Object.entries(objectAt(parameters, "values")).flatMap(([type, list]) =>
    (Array.isArray(list) ? list.filter(isObject) : []).map(({ name, value }) => ({
      name: textAt(name, ""),
      type,
      value,
    })),
  );
}

/** Whether the input's other fields are kept. The default changed with version 3. */
function keepsOthers({ typeVersion, parameters }: N8nNode): boolean {
  if (typeVersion < 3) return parameters.keepOnlySet !== true;
  const { include, includeOtherFields } = parameters;
  const some = include === "selected" || include === "except";
  if (some && includeOtherFields !== false) throw new Untranslatable("a choice of the fields that are kept");
  return typeVersion < 3.3 ? textAt(include, "all") === "all" : includeOtherFields === true;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Untranslatable("JSON that cannot be read");
  }
}

/** A known value, or an expression for it. */
type Value = { known: unknown } | { expression: string };

/** Converts a value that is written as text to its type. */
function valueOf({ name, type, value = null }: Assignment): Value {
  if (isExpression(value)) return { expression: value };
  if (typeof value !== "string" || type === "string") return { known: value };
  if (type === "number" && value.trim() !== "" && !Number.isNaN(Number(value))) return { known: Number(value) };
  if (type === "boolean" && (value === "true" || value === "false")) return { known: value === "true" };
  if (type === "array" || type === "object") return { known: parsed(value) };
  throw new Untranslatable(`"${shown(value)}" as the ${shown(type)} of \`${shown(name)}\``);
}

/** Sets a field. Dots in its name lead into objects. */
function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = "", ...rest] = path;
  if (/[[\]]/.test(key) || key === "" || key === "__proto__")
    throw new Untranslatable("a field whose name is not plain");
  if (rest.length === 0) return void (target[key] = value);
  const inner = isObject(target[key]) ? target[key] : {};
  target[key] = inner;
  setAt(inner, rest, value);
}

function onlyThese(assignments: [string[], Value][], t: Translation): unknown {
  const fields: Record<string, unknown> = {};
  for (const [path, value] of assignments) {
    setAt(fields, path, "known" in value ? constant(value.known) : t.template(value.expression));
  }
  return fields;
}

/** An expression for the input with these fields set. JSON is valid JSONata too. */
function besideOthers(assignments: [string[], Value][], t: Translation): string {
  const fields = assignments.map(([path, value]) => {
    if (path.length > 1) throw new Untranslatable("a field inside another field that is kept");
    const text = "known" in value ? JSON.stringify(value.known) : t.expression(value.expression).text;
    return `${JSON.stringify(path[0])}: ${text}`;
  });
  return `{{ $merge([${t.own().jsonata}, {${fields.join(", ")}}]) }}`;
}

/** JSON that is written as a whole: without expressions, or as one expression. */
function rawValue({ parameters }: N8nNode, t: Translation): unknown {
  const { jsonOutput = {} } = parameters;
  if (!isExpression(jsonOutput)) return constant(typeof jsonOutput === "string" ? parsed(jsonOutput) : jsonOutput);
  const whole = wholeExpression(jsonOutput);
  if (whole === null) throw new Untranslatable("JSON with expressions in it");
  return t.template(whole);
}

/** Converts a field. A field without a counterpart is left out, with a warning that says why. */
function tried<T>(name: string, t: Translation, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    t.warn(`The field \`${shown(name)}\` is left out, because it has ${error.message}.`);
    return undefined;
  }
}

function kept(node: N8nNode, keeps: boolean, t: Translation): [string[], Value][] {
  const dots = objectAt(node.parameters, "options").dotNotation !== false;
  const assignments = assignmentsOf(node);
  const known = assignments.flatMap(one => {
    const made = tried(one.name, t, (): [string[], Value] => {
      const name = textAt(t.fixed(one.name, "name"), "");
      const pair: [string[], Value] = [dots ? name.split(".") : [name], valueOf(one)];
      // Only the conversion itself shows whether the field has a counterpart.
      if (keeps) besideOthers([pair], t);
      else onlyThese([pair], t);
      return pair;
    });
    return made ? [made] : [];
  });
  if (assignments.length > 0 && known.length === 0) throw new Untranslatable(t.warnings.at(-1) ?? "its fields");
  return known;
}

/** Set, or Edit Fields: an object with only these fields, or with the input's fields too. */
export const setFields: NodeKind = {
  translate(node, t) {
    const keeps = keepsOthers(node);
    if (node.parameters.mode === "raw") {
      if (keeps) throw new Untranslatable("JSON that is merged into the input");
      return { type: "transform", data: { value: rawValue(node, t) } };
    }
    // Without a known input, fields that refer to it cannot be translated.
    const assignments = kept(node, keeps, t);
    return { type: "transform", data: { value: keeps ? besideOthers(assignments, t) : onlyThese(assignments, t) } };
  },
};
