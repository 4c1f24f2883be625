import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type Route, ROUTES } from "../../contracts/routes.ts";
import { completeInput, pathInput } from "../../services/gateway/request/input.ts";
import { openApiDocument } from "../../services/gateway/openapi/document.ts";
import { COMPONENTS, type JsonSchema } from "../../services/gateway/openapi/json-schema.ts";
import { planOf } from "../../services/gateway/request/route-plan.ts";
import { sampleOf, valuesFor } from "../support/schema-values.ts";

const ID = "01980000-0000-7000-8000-000000000001";

const isDay = (text: string) => {
  const at = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

// The formats as their own specifications have them, so that the document must say what is narrower.
const FORMATS = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  date: isDay,
  "date-time": (text: string) => /^.{10}t/i.test(text) && isDay(text.slice(0, 10)) && TIME.test(text.slice(11)),
  email: /^[^\s@]+@[^\s@]+$/,
  uri: (text: string) => /^[a-z][a-z0-9+.-]*:[\x21-\x7e]*$/i.test(text) && URL.canParse(text),
};

const ajv = new Ajv2020({ strict: false, formats: FORMATS, allErrors: true });
const compiled = new WeakMap<JsonSchema, ValidateFunction>();
const compiledTexts = new Map<string, ValidateFunction>();
function allows(schema: JsonSchema, value: unknown): boolean {
  let validate = compiled.get(schema);
  if (!validate) {
    // Many routes have the same fields.
    const text = JSON.stringify(schema);
    validate = compiledTexts.get(text) ?? ajv.compile(schema);
    compiledTexts.set(text, validate);
    compiled.set(schema, validate);
  }
  return validate(value);
}

const document = openApiDocument();
/** The schema with what it refers to in the place of references. */
function whole(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema, (_key, value: unknown) => {
    const { $ref, ...beside } = (value ?? {}) as JsonSchema;
    return $ref ? { ...document.components.schemas[$ref.slice(COMPONENTS.length)], ...beside } : value;
  });
  return JSON.parse(text) as JsonSchema;
}

interface RequestParts {
  /** By the names that the fields have in the input. */
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/** Whether the route takes these texts and this body; other path variables are valid. */
function taken(plan: ReturnType<typeof planOf>, { path = {}, query = {}, body }: RequestParts): boolean {
  const segments: string[] = [];
  for (const { segment, field, kind } of plan.path) segments[segment] = path[field] ?? (kind === "integer" ? "1" : ID);
  try {
    const input = pathInput(plan.path, segments);
    const search = new URLSearchParams(query).toString();
    return plan.input.safeParse(completeInput(input, plan, { search, headers: {}, body })).success;
  } catch {
    return false;
  }
}

const trim = (value: unknown) => (typeof value === "string" ? value.trim() : value);
/** Names, searches and addresses are taken without the white space around them, which the document need not allow. */
function isTrimmed(value: unknown, isAllowed: (value: unknown) => boolean): boolean {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const bare = isObject ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, trim(one)])) : trim(value);
  return JSON.stringify(bare) !== JSON.stringify(value) && isAllowed(bare);
}

/** Values of a path or a query with their texts. Whole numbers are written as decimal digits there, in no other way. */
function written(field: JsonSchema): [unknown, string][] {
  const isText = [field.type ?? []].flat().includes("string");
  const isWritten = (value: unknown) => /^(-?\d+|true|false)$/.test(String(value)) || !allows(field, value);
  return valuesFor(field, allows).flatMap(value => {
    const fits = isText ? typeof value === "string" : typeof value !== "object" && isWritten(value);
    return fits ? [[value, String(value)]] : [];
  });
}

const short = (value: unknown) => {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 60)}… (${text.length} characters)` : text;
};

// What a credential holds depends on its type, so its bodies are too many combinations for this walk.
// The same is true of the kinds of records of an archive. A file of any type has no body of JSON.
const isLeftOut = ({ method, path, upload, action }: Route) =>
  (path.includes("/credentials") && method !== "GET") || action === "workspaces.import" || upload?.types === "any";
const routes = ROUTES.filter(route => !route.delivery && !isLeftOut(route)).map(
  route => [`${route.method} ${route.path}`, route] as const,
);

it.each(routes)("documents the same limits as the check: %s", (_name, route) => {
  const { requestBody, parameters } =
    document.paths[route.path.replace(/:(\w+)/g, "{$1}")]![route.method.toLowerCase()]!;
  const plan = planOf(route);
  const differing: string[] = [];
  const compare = (what: string, value: unknown, isAllowed: (value: unknown) => boolean, given: RequestParts) => {
    const [says, does] = [isAllowed(value), taken(plan, given)];
    if (says === does || (does && isTrimmed(value, isAllowed))) return;
    const told = says ? "the document allows it, the check does not" : "the check allows it, the document does not";
    differing.push(`${what} ${short(value)}: ${told}`);
  };

  const given = route.wholeBody === undefined ? requestBody?.content["application/json"]?.schema : undefined;
  const schema = given && whole(given);
  const { properties = {}, required = [] } = schema ?? {};
  const sample = Object.fromEntries(required.map(name => [name, sampleOf(properties[name]!, allows)]));
  if (schema) {
    const isAllowed = (body: unknown) => allows(schema, body);
    expect(taken(plan, { body: sample })).toBe(true);
    const unknown = { ...sample, unknownField: 1 };
    compare("unknown field", unknown, isAllowed, { body: unknown });
    for (const [name, field] of Object.entries(properties)) {
      const without = Object.fromEntries(Object.entries(sample).filter(([other]) => other !== name));
      compare(`without ${name}`, without, isAllowed, { body: without });
      for (const value of valuesFor(field, allows)) {
        compare(name, value, one => allows(field, one), { body: { ...without, [name]: value } });
      }
    }
  }
  // A parameter with `content` instead of a schema is JSON, which has no plain texts.
  const queried = parameters.filter(({ in: place, schema: has }) => place === "query" && has && !route.upload);
  const needed = queried.filter(({ required: must }) => must);
  const query = Object.fromEntries(needed.map(({ name, schema: has = {} }) => [name, String(sampleOf(has, allows))]));
  // The body of an upload is a file, and its parameters stand for fields of the JSON body.
  for (const { name, schema: field = {} } of queried) {
    for (const [value, text] of written(field)) {
      compare(name, value, one => allows(field, one), { query: { ...query, [name]: text } });
    }
  }
  const variables = parameters.filter(({ in: place }) => place === "path");
  for (const [at, { schema: field = {} }] of variables.entries()) {
    const { field: name } = plan.path[at]!;
    for (const [value, text] of written(field)) {
      compare(name, value, one => allows(field, one), {
        path: { [name]: text },
        query,
        ...(route.method !== "GET" && { body: sample }),
      });
    }
  }
  expect(differing.slice(0, 20)).toEqual([]);
});
