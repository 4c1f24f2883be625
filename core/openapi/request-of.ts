import type { ApiOperation } from "./operation.ts";
import { asPairs, inHeader, inPath, withDeepFields } from "./write-parameter.ts";

/** The request that a call of an operation makes. */
export interface ApiRequest {
  method: string;
  url: string;
  /** Names are in lower case. */
  headers: Record<string, string>;
  /** The argument for the body, before it is encoded in its content type. */
  body?: { value: unknown; type: string };
}

/** An operation that cannot be called with these arguments. The message is written for users. */
export class ApiRequestError extends Error {
  override name = "ApiRequestError";
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
/** The characters that a header value can carry. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a part of a path is a dot segment, which would lead to another path (RFC 3986, section 5.2.4). */
const isDots = (text: string): boolean => /^(\.|%2e){1,2}$/i.test(text);

function pathOf({ path, parameters }: ApiOperation, args: Readonly<Record<string, unknown>>): string {
  const written = path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find(one => one.in === "path" && one.name === name);
    const value = parameter && args[parameter.argument];
    if (!parameter || isAbsent(value) || value === "") throw new ApiRequestError(`The argument \`${name}\` is empty.`);
    return inPath(parameter, value);
  });
  if (written.split("/").some(isDots)) throw new ApiRequestError("A part of the path would be `.` or `..`.");
  return written;
}

/**
 * The request of an operation with these arguments, which must match its input schema.
 * @param baseUrl the address that replaces the one in the document
 * @throws {ApiRequestError} when an argument cannot be sent, or the API has no address
 */
export function requestOf(
  operation: ApiOperation,
  args: Readonly<Record<string, unknown>>,
  baseUrl: string | null,
): ApiRequest {
  const server = baseUrl ?? operation.server;
  if (server === "") throw new ApiRequestError("The document names no address to call. Set the base URL of the API.");
  const url = URL.parse(server);
  if (!url) throw new ApiRequestError(`The address of the API is not a URL: ${server.slice(0, 200)}`);
  url.pathname = url.pathname.replace(/\/+$/, "") + pathOf(operation, args);
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const parameter of operation.parameters) {
    const value = args[parameter.argument];
    if (isAbsent(value)) continue;
    if (parameter.in === "query") {
      for (const [name, text] of asPairs(parameter, value)) url.searchParams.append(name, text);
    } else if (parameter.in === "cookie") {
      for (const [name, text] of asPairs(parameter, value)) cookies.push(`${name}=${encodeURIComponent(text)}`);
    } else if (parameter.in === "header") {
      const text = inHeader(parameter, value);
      if (!HEADER_VALUE.test(text))
        throw new ApiRequestError(`The argument \`${parameter.argument}\` has characters that no header can carry.`);
      headers[parameter.name.toLowerCase()] = text;
    }
  }
  if (cookies.length > 0) headers.cookie = cookies.join("; ");
  const { body } = operation;
  const value = body && withDeepFields(args[body.argument], body.deep ?? []);
  return {
    ...{ method: operation.method, url: url.href, headers },
    ...(body && !isAbsent(value) && { body: { value, type: body.type } }),
  };
}
