import type { ServiceBroker } from "moleculer";
import { call } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { RESUME_PATH } from "../../contracts/routes.ts";
import type { RateLimits } from "./access/rate-limit.ts";
import type { Exchange } from "./http/exchange.ts";
import type { Input } from "./request/input.ts";

const ADMIT_TIMEOUT_MS = 5_000;

/**
 * Refuses requests to the address of a step without the credential that the step demands, before their body is read. An
 * address that has guessed too often does not learn whether a guess was right.
 * @throws {AppError} link_credential_wrong, rate_limited
 */
export async function passResumeGate(
  x: Exchange,
  { token }: Input,
  broker: ServiceBroker,
  limits: RateLimits,
): Promise<void> {
  if (x.route !== RESUME_PATH) return;
  const single = Object.entries(x.req.headers).filter((one): one is [string, string] => typeof one[1] === "string");
  const asked = { token: String(token), headers: Object.fromEntries(single) };
  const options = { timeout: ADMIT_TIMEOUT_MS, requestID: x.requestId };
  const { admitted, demanded, challenge } = await call(broker, "executions.resume.admit", asked, options);
  if (!demanded) return;
  limits.mayAuthenticate(x);
  if (admitted) return;
  limits.unauthenticated(x);
  throw new AppError("link_credential_wrong", challenge === undefined ? {} : { challenge });
}
