import { createHash } from "node:crypto";
import { principalOf } from "../../../contracts/entities/user.ts";
import { AppError } from "../../../contracts/errors.ts";
import type { DeliveryFacts, OnceOnly, RequestHeaders } from "../../../contracts/request.ts";
import { takesIdempotencyKey } from "../../../contracts/routes.ts";
import { canonicalJson } from "../../../core/json.ts";
import { clientKey, sourceAddress } from "../http/client-address.ts";
import { deliveryId } from "./delivery.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Input } from "./input.ts";
import type { RoutePlan } from "./route-plan.ts";
import { segmentsOf } from "./router.ts";

/** visible ASCII */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The digest is sent with the call. Before it is stored, it is hashed again with a key. */
const digest = (value: unknown) => createHash("sha256").update(canonicalJson(value)).digest("hex");

interface Settings {
  trustProxy: boolean;
  /** The hash of the file if the body is one, or the digest of an input with files. */
  sha256?: string | undefined;
  /** Set for a delivery: what the action must know about it, and its id if the sender signed one. */
  delivery?: { facts: DeliveryFacts; deliveryId?: string | undefined } | undefined;
}

/**
 * The owner of an idempotency key. Anonymous clients are distinguished by address, unless the path itself belongs to
 * one sender (a webhook).
 */
function ownerOf({ identity, req }: Exchange, { path }: RoutePlan, trustProxy: boolean): string {
  if (identity) return `${identity.kind} ${principalOf(identity)}`;
  return path.length > 0 ? "anybody" : `address ${clientKey(req, trustProxy)}`;
}

/**
 * A digest of the request's Idempotency-Key with its caller, method and path; undefined if it has no key.
 * @throws {AppError} validation_failed when the header is not a valid key
 */
export function keyScope(x: Exchange, plan: RoutePlan, trustProxy: boolean): string | undefined {
  const key = takesIdempotencyKey(plan.route) ? x.req.headers["idempotency-key"] : undefined;
  if (typeof key !== "string") return undefined;
  if (!KEY.test(key)) {
    const message = "Expected 1 to 255 visible ASCII characters";
    throw new AppError("validation_failed", { errors: [{ path: "Idempotency-Key", message }] });
  }
  return digest([ownerOf(x, plan, trustProxy), plan.route.method, segmentsOf(x.path), key]);
}

function fingerprintOf({ route }: RoutePlan, input: Input, sha256: string | undefined): string {
  const { headers, delivery, wholeBody, formInto } = route;
  // These fields may differ between repeats of one request: the wait does not change the effect, a delivery's headers
  // depend on its network path, and each repeat uploads its file again. A file is compared by its bytes instead.
  const aside = new Set([headers.prefer, "upload", ...(delivery ? ["headers", "secret", "token"] : [])]);
  const asked = Object.fromEntries(Object.entries(input).filter(([field]) => !aside.has(field)));
  if (sha256 !== undefined) asked.upload = sha256;
  const withFiles = wholeBody ?? formInto;
  if (sha256 !== undefined && withFiles !== undefined) delete asked[withFiles];
  return digest(asked);
}

/** The number of path segments that identify the webhook. A token may follow. */
const WEBHOOK_SEGMENTS = 4;

/**
 * The sender's id identifies a repeated delivery, whatever its content. Senders repeat a refused delivery until it is
 * accepted.
 */
const sameDelivery = (id: string, x: Exchange, { route }: RoutePlan): OnceOnly => ({
  scope: digest(["delivery", route.method, segmentsOf(x.path).slice(0, WEBHOOK_SEGMENTS), id]),
  fingerprint: digest(id),
  keepsRefusals: false,
});

/**
 * The metadata that informs an action about its request; none for reads.
 * @throws {AppError} validation_failed when the Idempotency-Key is not valid
 */
export function requestHeaders(
  x: Exchange,
  plan: RoutePlan,
  input: Input,
  settings: Settings,
): RequestHeaders | undefined {
  if (plan.route.method === "GET") return undefined;
  const { delivery } = settings;
  const facts = delivery && Object.keys(delivery.facts).length > 0 ? { delivery: delivery.facts } : {};
  const caller = { address: sourceAddress(x.req, settings.trustProxy), ...facts };
  // A signed id has precedence, because an attacker who repeats a delivery can change all unsigned headers.
  if (delivery?.deliveryId !== undefined) return { ...caller, once: sameDelivery(delivery.deliveryId, x, plan) };
  const scope = keyScope(x, plan, settings.trustProxy);
  if (scope !== undefined) {
    const fingerprint = fingerprintOf(plan, input, settings.sha256);
    return { ...caller, once: { scope, fingerprint, keepsRefusals: true } };
  }
  const id = plan.route.delivery ? deliveryId(x.req.headers) : undefined;
  return id === undefined ? caller : { ...caller, once: sameDelivery(id, x, plan) };
}
