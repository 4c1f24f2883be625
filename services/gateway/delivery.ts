import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../contracts/errors.ts";
import type { DeliveryFields } from "../../contracts/entities/webhook.ts";

/**
 * Names, of headers and in queries, whose values let somebody in somewhere: whoever reads a run must not find them there. How
 * a word is joined to the others tells nothing (`access_token`, `accessToken`, `x-accesstoken`), except for short ones.
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
/** Between this connection's two ends (RFC 9110, section 7.6.1). */
const OF_CONNECTION = new Set(["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect"]);
const MAX_FIELDS = 1_000;

/** By which senders tell their deliveries apart, the more general first. A repeated delivery comes with the same one. */
const DELIVERY_IDS = ["webhook-id", "svix-id", "x-github-delivery", "x-gitlab-event-uuid", "x-shopify-webhook-id"];
const DELIVERY_ID = /^[\x21-\x7e]{1,255}$/;

/** Names and values of a form or a query; a name that comes again makes a list. Throws validation_failed. */
function fieldsOf(text: string, keeps: (name: string) => boolean): DeliveryFields {
  const fields = new Map<string, string | string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > MAX_FIELDS) {
      throw new AppError("validation_failed", { detail: `A form or query is limited to ${MAX_FIELDS} fields.` });
    }
    if (name === "__proto__" || !keeps(name)) continue;
    const before = fields.get(name);
    if (before === undefined) fields.set(name, value);
    else if (Array.isArray(before)) before.push(value);
    else fields.set(name, [before, value]);
  }
  return Object.fromEntries(fields);
}

/** The value of an application/x-www-form-urlencoded body. Throws validation_failed. */
export const parseForm = (bytes: Buffer): DeliveryFields => fieldsOf(bytes.toString("utf8"), () => true);

/** What expressions see of a delivery beside its body: its headers and its query, without credentials. */
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

/** What the sender calls this delivery, with the header it says so in. */
export function deliveryId(headers: IncomingHttpHeaders): string | undefined {
  for (const name of DELIVERY_IDS) {
    const value = headers[name];
    if (typeof value === "string" && DELIVERY_ID.test(value)) return `${name}: ${value}`;
  }
  return undefined;
}
