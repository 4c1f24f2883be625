import { isPaged, pagesOf } from "./http-pages.ts";
import { isObject } from "../../../json.ts";
import { below, type Flow, hasRun, stepPlace } from "../flow.ts";
import type { NodeKind, Step } from "../kind.ts";
import { constant, isExpression, wholeExpression } from "../parameter.ts";
import { credentialOf } from "../credentials.ts";
import { listAt, objectAt, textAt, type Translation } from "../translation.ts";
import { call } from "../typed.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

/** Name and value pairs, from the lists in which n8n keeps them. */
function pairs(list: Record<string, unknown>[], t: Translation): Record<string, unknown> {
  const entries = list.map(({ name, value }) => [textAt(t.fixed(name, "name"), ""), t.template(value ?? "")] as const);
  return Object.fromEntries(entries.filter(([name]) => name !== ""));
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Untranslatable(`${what} that is not JSON`);
  }
}

/** JSON that is written as text. An expression must return a whole object. */
function jsonParameter(value: unknown, what: string, t: Translation): unknown {
  if (isExpression(value)) {
    const whole = wholeExpression(value);
    if (whole === null) throw new Untranslatable(`${what} as JSON with expressions in it`);
    return t.template(whole);
  }
  return typeof value === "string" ? constant(parsed(value, what)) : constant(value ?? {});
}

function section(node: N8nNode, name: "Query" | "Headers", t: Translation): Record<string, unknown> | undefined {
  const { parameters, typeVersion } = node;
  if (typeVersion < 3) {
    const ui = name === "Query" ? "queryParametersUi" : "headerParametersUi";
    const json = name === "Query" ? "queryParametersJson" : "headerParametersJson";
    const found =
      parameters.jsonParameters === true
        ? jsonParameter(parameters[json], name, t)
        : pairs(listAt(parameters, ui, "parameter"), t);
    return record(found, name);
  }
  if (parameters[`send${name}`] !== true) return undefined;
  const list = name === "Query" ? "queryParameters" : "headerParameters";
  const isJson = parameters[`specify${name}`] === "json";
  const found = isJson
    ? jsonParameter(parameters[`json${name}`], name, t)
    : pairs(listAt(parameters, list, "parameters"), t);
  return record(found, name);
}

function record(value: unknown, what: string): Record<string, unknown> | undefined {
  if (!isObject(value)) throw new Untranslatable(`${what} that are not a plain list of names and values`);
  return Object.keys(value).length > 0 ? value : undefined;
}

interface Body {
  body: unknown;
  contentType?: string;
}

const plainText = (value: unknown = "") => (typeof value === "string" ? value : JSON.stringify(value));

/** A form body such as `a=1&b=2`. */
function formBody(list: Record<string, unknown>[], t: Translation): Body {
  const fields = list.map(({ name, value }) => {
    const key = encodeURIComponent(textAt(t.fixed(name, "name"), ""));
    if (!isExpression(value)) return `${key}=${encodeURIComponent(plainText(value))}`;
    return `${key}={{ ${call("encodeUrlComponent", [call("string", [t.expression(value)], "text")], "text").text} }}`;
  });
  return { body: fields.join("&"), contentType: "application/x-www-form-urlencoded" };
}

function jsonBody(value: unknown, t: Translation): Body {
  if (!isExpression(value))
    return { body: typeof value === "string" ? constant(parsed(value, "a body")) : constant(value ?? {}) };
  const whole = wholeExpression(value);
  // A single expression keeps the type of its value. An expression with text around it sends text.
  return whole === null ? { body: t.template(value), contentType: "application/json" } : { body: t.template(whole) };
}

function bodyOf({ parameters, typeVersion }: N8nNode, t: Translation): Body | undefined {
  if (typeVersion < 3) {
    const listed = listAt(parameters, "bodyParametersUi", "parameter");
    if (parameters.jsonParameters === true && parameters.bodyParametersJson)
      return jsonBody(parameters.bodyParametersJson, t);
    if (listed.length === 0) return undefined;
    const type = textAt(parameters.bodyContentType, "json");
    if (type === "json") return { body: pairs(listed, t) };
    if (type === "form-urlencoded") return formBody(listed, t);
    throw new Untranslatable(`a body of the kind "${shown(type)}"`);
  }
  if (parameters.sendBody !== true) return undefined;
  const listed = listAt(parameters, "bodyParameters", "parameters");
  const specified = textAt(parameters.specifyBody, "keypair");
  const type = textAt(parameters.contentType, "json");
  if (type === "json") return specified === "json" ? jsonBody(parameters.jsonBody, t) : { body: pairs(listed, t) };
  if (type === "form-urlencoded" && specified === "keypair") return formBody(listed, t);
  if (type === "raw" || type === "form-urlencoded") {
    const contentType =
      type === "raw" ? textAt(parameters.rawContentType, "text/plain") : "application/x-www-form-urlencoded";
    return { body: t.template(parameters.body ?? ""), contentType };
  }
  throw new Untranslatable(`a body of the kind "${shown(type)}"`);
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Options that affect neither the request nor its response. */
const HARMLESS = new Set(["timeout", "response", "batching", "redirect", "pagination"]);

function warnOfTheRest({ parameters }: N8nNode, t: Translation): void {
  const options = Object.keys(objectAt(parameters, "options"));
  const left = options.filter(name => !HARMLESS.has(name));
  if (left.length > 0) t.warn(`These options are left out: ${shown(left.join(", "))}.`);
}

const responseOf = (node: N8nNode) => objectAt(node.parameters, "options", "response", "response");
const isFull = (node: N8nNode) =>
  responseOf(node).fullResponse === true || objectAt(node.parameters, "options").fullResponse === true;

function translate(node: N8nNode, t: Translation): Step {
  const { parameters } = node;
  const options = objectAt(parameters, "options");
  const pages = isPaged(node) ? pagesOf(node, isFull(node), t) : undefined;
  const response = responseOf(node);
  const format = textAt(response.responseFormat ?? parameters.responseFormat, "autodetect");
  if (format === "file") throw new Untranslatable("an answer that is kept as a file");
  const method = textAt(t.fixed(parameters.method ?? parameters.requestMethod, "method"), "GET").toUpperCase();
  if (!METHODS.includes(method)) throw new Untranslatable(`the method "${shown(method)}"`);
  const query = { ...section(node, "Query", t), ...pages?.query };
  const given = section(node, "Headers", t);
  const { body, contentType } = bodyOf(node, t) ?? {};
  const typed = Object.keys(given ?? {}).some(name => name.toLowerCase() === "content-type");
  const headers = contentType !== undefined && !typed ? { ...given, "content-type": contentType } : given;
  const credential = credentialOf(node, t);
  warnOfTheRest(node, t);
  const ignoresStatus = response.neverError === true || options.ignoreResponseCode === true;
  const timeout = options.timeout;
  return {
    type: "http",
    data: {
      method,
      url: t.template(parameters.url ?? ""),
      ...(credential && { credential }),
      ...(headers && { headers }),
      ...(Object.keys(query).length > 0 && { query }),
      ...(body !== undefined && { body }),
      ...((ignoresStatus || pages?.ignoresStatus) && { failOnStatus: false }),
      ...(pages && { pagination: pages.pagination }),
    },
    ...(typeof timeout === "number" && timeout >= 1 && { timeoutMs: Math.min(timeout, 3_600_000) }),
  };
}

/** The body of the response, or the whole response if the node asks for it. */
function gives(node: N8nNode, id: string): Flow {
  const step = stepPlace(id);
  const guard = hasRun(id);
  // The items of all pages, each with the whole response if the node asks for it.
  if (isPaged(node)) return { ...below(step, "items"), guard, list: true };
  const body = below(step, "body");
  if (!isFull(node)) return { ...body, guard, list: false };
  const fields = { body, headers: below(step, "headers"), statusCode: below(step, "status") };
  const write = (language: "jsonata" | "js") =>
    `{${Object.entries(fields)
      .map(([name, place]) => `"${name}": ${place[language]}`)
      .join(", ")}}`;
  return { jsonata: write("jsonata"), js: `(${write("js")})`, guard, fields, list: false };
}

export const httpRequest: NodeKind = { translate, gives: (node, flows) => gives(node, flows.idOf(node.name)) };
