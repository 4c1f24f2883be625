import { createHash } from "node:crypto";
import { principalOf } from "../../contracts/entities/user.ts";
import { AppError } from "../../contracts/errors.ts";
import type { OnceOnly, RequestHeaders } from "../../contracts/request.ts";
import { takesIdempotencyKey } from "../../contracts/routes.ts";
import { canonicalJson } from "../../core/canonical-json.ts";
import { clientAddress, sourceAddress } from "./client-address.ts";
import { deliveryId } from "./delivery.ts";
import type { Exchange } from "./exchange.ts";
import type { Input } from "./input.ts";
import type { RoutePlan } from "./route-plan.ts";
import { segmentsOf } from "./router.ts";

/** Visible ASCII. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Travels with the request; where it is kept, it is hashed again under a key. */
const digest = (value: unknown) => createHash("sha256").update(canonicalJson(value)).digest("hex");

interface Settings {
  trustProxy: boolean;
  /** Of the file, where the body was one. */
  sha256?: string | undefined;
}

/** Whose key it is: of strangers nothing is known but where they are, unless the path itself is somebody's (a webhook's). */
function ownerOf({ identity, req }: Exchange, { path }: RoutePlan, trustProxy: boolean): string {
  if (identity) return `${identity.kind} ${principalOf(identity)}`;
  return path.length > 0 ? "anybody" : `address ${clientAddress(req, trustProxy)}`;
}

/**
 * What stands for a request's Idempotency-Key, with its caller, method and path; undefined where it has none.
 * @throws AppError validation_failed for one that is none
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

function fingerprintOf({ route: { headers, delivery } }: RoutePlan, input: Input, sha256: string | undefined): string {
  // How long a caller would wait changes nothing of what is done; and what a delivery's headers say of its way here differs.
  // The same file comes as another upload each time; its bytes are what is compared.
  const aside = new Set([headers.prefer, "upload", ...(delivery ? ["headers", "secret"] : [])]);
  const asked = Object.fromEntries(Object.entries(input).filter(([field]) => !aside.has(field)));
  if (sha256 !== undefined) asked.upload = sha256;
  return digest(asked);
}

/** A delivery that is repeated is known by its id, whatever it says. Senders repeat what was refused until it is taken. */
const sameDelivery = (id: string, x: Exchange, { route }: RoutePlan): OnceOnly => ({
  scope: digest(["delivery", route.method, segmentsOf(x.path), id]),
  fingerprint: digest(id),
  keepsRefusals: false,
});

/**
 * What the action that a request leads to is told of the request itself; nothing for reads.
 * @throws AppError validation_failed for an Idempotency-Key that is none
 */
export function requestHeaders(
  x: Exchange,
  plan: RoutePlan,
  input: Input,
  settings: Settings,
): RequestHeaders | undefined {
  if (plan.route.method === "GET") return undefined;
  const address = sourceAddress(x.req, settings.trustProxy);
  const scope = keyScope(x, plan, settings.trustProxy);
  if (scope !== undefined) {
    const fingerprint = fingerprintOf(plan, input, settings.sha256);
    return { address, once: { scope, fingerprint, keepsRefusals: true } };
  }
  const id = plan.route.delivery ? deliveryId(x.req.headers) : undefined;
  return id === undefined ? { address } : { address, once: sameDelivery(id, x, plan) };
}
