import type { ServiceBroker } from "moleculer";
import { call } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { RESUME_PATH } from "../../contracts/routes.ts";
import type { RateLimits } from "./access/rate-limit.ts";
import type { Exchange } from "./http/exchange.ts";
import type { Input } from "./request/input.ts";

const ADMIT_TIMEOUT_MS = 5_000;

/** Reads the body of a request. */
type ReadBody = () => Promise<Buffer | undefined>;

/**
 * Refuses requests to the address of a step if they lack the credential that the step demands, before their body is
 * read. Checking a signature needs the body, so it is read if there is a signature. An address with too many wrong
 * guesses does not learn whether a guess was right. Returns a function that reads the body, which may have been read
 * already.
 * @throws {AppError} link_credential_wrong, rate_limited, and the errors of `read`
 */
export async function passResumeGate(
  x: Exchange,
  { token }: Input,
  broker: ServiceBroker,
  limits: RateLimits,
  read: ReadBody = () => Promise.resolve(undefined),
): Promise<ReadBody> {
  if (x.route !== RESUME_PATH) return read;
  const single = Object.entries(x.req.headers).filter((one): one is [string, string] => typeof one[1] === "string");
  const asked = { token: String(token), headers: Object.fromEntries(single) };
  const options = { timeout: ADMIT_TIMEOUT_MS, requestID: x.requestId };
  const first = await call(broker, "executions.resume.admit", asked, options);
  if (!first.demanded) return read;
  limits.mayAuthenticate(x);
  if (first.admitted) return read;
  if (first.needsBody) {
    const bytes = await read();
    const body = (bytes ?? Buffer.alloc(0)).toString("base64");
    const { admitted } = await call(broker, "executions.resume.admit", { ...asked, body }, options);
    if (admitted) return () => Promise.resolve(bytes);
  }
  limits.unauthenticated(x);
  const { challenge } = first;
  throw new AppError("link_credential_wrong", challenge === undefined ? {} : { challenge });
}
