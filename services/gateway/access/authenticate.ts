import type { ServiceBroker } from "moleculer";
import { call } from "../../../contracts/call.ts";
import type { Identity } from "../../../contracts/entities/user.ts";
import { AppError } from "../../../contracts/errors.ts";
import { bearerToken } from "../../../service-kit/authorization.ts";

const VERIFY_TIMEOUT_MS = 5_000;

/** The current identity of a token; undefined if the token is not valid, or no longer valid. */
export async function identityOf(
  broker: ServiceBroker,
  token: string,
  address: string,
  requestID?: string,
): Promise<Identity | undefined> {
  const options = { timeout: VERIFY_TIMEOUT_MS, requestID };
  return (await call(broker, "identity.verify", { token, address }, options)) ?? undefined;
}

/** @throws {AppError} unauthenticated when the request has no valid token */
export async function authenticate(
  broker: ServiceBroker,
  authorization: string | undefined,
  address: string,
  requestId: string,
): Promise<Identity> {
  const token = bearerToken(authorization);
  const identity = token && (await identityOf(broker, token, address, requestId));
  if (!identity) throw new AppError("unauthenticated");
  return identity;
}
