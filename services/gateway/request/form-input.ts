import { AppError } from "../../../contracts/errors.ts";
import { jsonPointer } from "../../../contracts/json-pointer.ts";
import { isObject } from "../../../core/json.ts";
import { parseJson } from "./json.ts";
import { type Field, objectOf } from "./multipart.ts";
import type { RoutePlan } from "./route-plan.ts";

const fault = (path: string[], message: string) =>
  new AppError("validation_failed", { errors: [{ path: jsonPointer(path), message }] });

/** @throws {AppError} validation_failed when the text is not JSON that the API accepts */
function jsonOf(name: string, text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    throw fault([name], "Expected JSON");
  }
}

/**
 * Builds the body of a request from a form with files. A part that has the name of a body field becomes that field. The
 * field `into` and numbers are JSON, all others text. All other parts become members of `into`.
 * @throws {AppError} validation_failed when a part is not valid
 */
export function formBody(fields: readonly Field[], plan: Pick<RoutePlan, "body">, into: string) {
  const named: Record<string, unknown> = {};
  const members: Field[] = [];
  for (const [name, value] of fields) {
    if (!plan.body.has(name)) members.push([name, value]);
    else if (Object.hasOwn(named, name)) throw fault([name], "Given more than once");
    else if (typeof value !== "string") named[name] = value;
    else named[name] = name === into || /^\d{1,15}$/.test(value) ? jsonOf(name, value) : value;
  }
  if (members.length === 0) return named;
  const given = named[into] ?? {};
  if (!isObject(given) || "$file" in given)
    throw fault([into], "Expected a JSON object, since the form has further parts");
  const added = objectOf(members);
  const twice = Object.keys(added).find(name => Object.hasOwn(given, name));
  if (twice !== undefined) throw fault([into, twice], "Given more than once");
  return { ...named, [into]: { ...given, ...added } };
}
