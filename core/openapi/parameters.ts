import { isObject } from "../json.ts";
import { type ApiParameter, type ParameterLocation, PARAMETER_LOCATIONS, type Style } from "./operation.ts";
import { resolved, UnusableOperationError } from "./references.ts";

type Json = Record<string, unknown>;

const STYLES: Record<ParameterLocation, readonly Style[]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};
/** Header parameters with these names are ignored (OpenAPI 3.1, section 4.8.12.2). */
const IGNORED = new Set(["accept", "content-type", "authorization"]);
/** Header names that a call sets itself, or that would change its destination. */
const REFUSED =
  /^(host|content-length|transfer-encoding|connection|cookie|proxy-.*|expect|upgrade|te|trailer|keep-alive)$/i;
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const MAX_PARAMETERS = 100;

/** A parameter with the schema of its argument. */
export interface ReadParameter {
  parameter: ApiParameter;
  schema: Json;
  required: boolean;
}

const isPlace = (value: unknown): value is ParameterLocation => PARAMETER_LOCATIONS.some(place => place === value);

function schemaOf(parameter: Json): { schema: Json; json: boolean } {
  if (isObject(parameter.content)) {
    const [media] = Object.values(parameter.content);
    return { schema: isObject(media) && isObject(media.schema) ? media.schema : {}, json: true };
  }
  return { schema: isObject(parameter.schema) ? parameter.schema : {}, json: false };
}

function read(document: Json, given: unknown): ReadParameter | undefined {
  const found = resolved(document, given);
  const { name, in: place, description, required } = found;
  if (typeof name !== "string" || name === "" || name.length > 200 || !isPlace(place))
    throw new UnusableOperationError("one of its parameters has no name or no place");
  if (place === "header" && IGNORED.has(name.toLowerCase())) return undefined;
  if (place === "header" && (REFUSED.test(name) || !HEADER_NAME.test(name))) {
    if (required !== true) return undefined;
    throw new UnusableOperationError(`it needs the header \`${name}\`, which a call cannot set`);
  }
  const [usual] = STYLES[place];
  const style = STYLES[place].find(one => one === found.style) ?? usual!;
  const { schema, json } = schemaOf(found);
  return {
    parameter: {
      ...{ name, argument: name, in: place, style },
      explode: typeof found.explode === "boolean" ? found.explode : style === "form" || style === "deepObject",
      ...(json && { json }),
    },
    schema: typeof description === "string" && schema.description === undefined ? { description, ...schema } : schema,
    required: required === true || place === "path",
  };
}

/**
 * The parameters of an operation. Its own parameters replace those of its path. Two parameters with the same name in
 * different places get different arguments.
 * @throws {UnusableOperationError} when one cannot be read
 */
export function readParameters(document: Json, ofPath: unknown, own: unknown): ReadParameter[] {
  const found = new Map<string, ReadParameter>();
  for (const list of [ofPath, own]) {
    if (!Array.isArray(list)) continue;
    for (const given of list as unknown[]) {
      const one = read(document, given);
      if (one) found.set(`${one.parameter.in} ${one.parameter.name}`, one);
      if (found.size > MAX_PARAMETERS)
        throw new UnusableOperationError(`it has more than ${MAX_PARAMETERS} parameters`);
    }
  }
  const taken = new Set<string>();
  for (const { parameter } of found.values()) {
    if (taken.has(parameter.argument)) parameter.argument = `${parameter.in}_${parameter.name}`;
    if (taken.has(parameter.argument)) throw new UnusableOperationError("two of its parameters have the same name");
    taken.add(parameter.argument);
  }
  return [...found.values()];
}
