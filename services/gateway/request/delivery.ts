import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../../contracts/errors.ts";
import type { DeliveryFields } from "../../../contracts/entities/webhook.ts";

/**
 * Names of headers and query fields that may contain credentials. Readers of a run must not see these. Separators
 * between words do not matter (`access_token`, `accessToken`, `x-accesstoken`), except in short words.
 */
const CREDENTIAL = new RegExp(
  [
    "^proxy-",
    "(token|secret|passw(or)?d|pwd|passphrase|credentials?|authorization|authentication|session[-_.]?id|cookie2?)$",
    "(api|access|auth|private|shared|subscription|functions?|account|master|admin)[-_.]?key$",
    "(^|[-_.])(auth|pass|session|sid)$",
    "jwt",
  ].join("|"),
  "i",
);
/** Headers that apply to this connection only (RFC 9110, section 7.6.1). */
const OF_CONNECTION = new Set(["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect"]);
const MAX_FIELDS = 1_000;

/** Headers in which senders identify a delivery, the most general first. A repeated delivery has the same id. */
const DELIVERY_IDS = ["webhook-id", "svix-id", "x-github-delivery", "x-gitlab-event-uuid", "x-shopify-webhook-id"];
const DELIVERY_ID = /^[\x21-\x7e]{1,255}$/;

/** Whether a form has more fields than `max`. Parsing takes more than linear time with hundreds of thousands of fields. */
function hasMoreFields(text: string, max: number): boolean {
  let count = 0;
  for (let from = 0; from < text.length;) {
    const next = text.indexOf("&", from);
    const end = next < 0 ? text.length : next;
    if (end > from && ++count > max) return true;
    from = end + 1;
  }
  return false;
}

/**
 * Names and values of a form or a query. A repeated name becomes a list.
 * @throws {AppError} validation_failed when the text is not valid
 */
function fieldsOf(text: string, keeps: (name: string) => boolean): DeliveryFields {
  if (hasMoreFields(text, MAX_FIELDS))
    throw new AppError("validation_failed", { detail: `A form or query is limited to ${MAX_FIELDS} fields.` });
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (name === "__proto__" || !keeps(name)) continue;
    const before = fields.get(name);
    if (before === undefined) fields.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else fields.set(name, [before, value]);
  }
  return Object.fromEntries(fields);
}

/**
 * The value of an application/x-www-form-urlencoded body.
 * @throws {AppError} validation_failed when the body is not valid
 */
export const parseForm = (bytes: Buffer): DeliveryFields => fieldsOf(bytes.toString("utf8"), () => true);

/**
 * The query of a GET delivery. It is the delivery's input.
 * @throws {AppError} validation_failed when it has too many fields
 */
export const queryFields = (search: string): DeliveryFields => fieldsOf(search, () => true);

/** What expressions can read about a delivery in addition to its body: headers and query, without credentials. */
export function deliveryContext(
  headers: IncomingHttpHeaders,
  search: string,
): { headers: DeliveryFields; query: DeliveryFields } {
  const shown = Object.entries(headers).filter(
    (header): header is [string, string] =>
      typeof header[1] === "string" && !CREDENTIAL.test(header[0]) && !OF_CONNECTION.has(header[0]),
  );
  return { headers: Object.fromEntries(shown), query: fieldsOf(search, name => !CREDENTIAL.test(name)) };
}

/** The sender's id of this delivery, and the header that contains it. */
export function deliveryId(headers: IncomingHttpHeaders): string | undefined {
  for (const name of DELIVERY_IDS) {
    const value = headers[name];
    if (typeof value === "string" && DELIVERY_ID.test(value)) return `${name}: ${value}`;
  }
  return undefined;
}
