import type { OutputOf } from "../../../contracts/actions.ts";
import type { Response } from "../../../contracts/entities/execution.ts";
import type { Exchange } from "../http/exchange.ts";
import { UNTRUSTED_HEADERS } from "../http/security-headers.ts";

/** Headers that a workflow may set. Only the server controls caching, cookies, origins and the connection. */
const ALLOWED = new Set([
  "allow",
  "content-disposition",
  "content-language",
  "etag",
  "last-modified",
  "location",
  "retry-after",
]);
/** Custom headers have this prefix, but so do some headers that browsers and proxies obey. */
const OWN = /^x-[\w-]{1,100}$/;
const OBEYED =
  /^x-(frame-options|content-type-options|xss-protection|permitted-|dns-prefetch|download-options|request-id|accel-|sendfile|lighttpd-|forwarded|real-ip|webhook-secret|http-method)/;
const VALUE = /^[\t\x20-\x7e]{0,4096}$/;
const TYPE = /^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w.-]+=("[\w .+-]*"|[\w.+-]+))*$/;
const BODILESS = new Set([204, 205, 304]);

function headersOf(headers: Response["headers"]): { type?: string; lines: string[] } {
  const lines: string[] = [];
  let type: string | undefined;
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (!VALUE.test(value)) continue;
    if (name === "content-type" && TYPE.test(value)) type = value;
    else if (ALLOWED.has(name) || (OWN.test(name) && !OBEYED.test(name))) lines.push(given, value);
  }
  return { ...(type !== undefined && { type }), lines };
}

/** Sends the response of a `respond` step. Browsers do not run it as a page of this origin, whatever its type. */
function sendResponse(x: Exchange, { status, headers, body }: Response): void {
  const { type, lines } = headersOf(headers);
  x.headers.push(...lines);
  if (BODILESS.has(status)) return x.send(status, undefined, "", UNTRUSTED_HEADERS);
  const isText = typeof body === "string";
  const usual = isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8";
  const text = isText ? body : body === null || body === undefined ? "" : JSON.stringify(body);
  x.send(status, type ?? (text === "" ? undefined : usual), text, UNTRUSTED_HEADERS);
}

/** Responds to a delivery with the response of the workflow, or with the execution that it started. */
export function answerDelivery(x: Exchange, { execution, response }: OutputOf<"webhooks.trigger">): void {
  const { workspaceId, spaceId, id } = execution;
  if (response) return sendResponse(x, response);
  x.headers.push("Location", `/v1/workspaces/${workspaceId}/spaces/${spaceId}/executions/${id}`);
  x.json(201, execution);
}
