import { buffer } from "node:stream/consumers";
import { OutboundError } from "../../../../adapters/net/outbound-error.ts";
import type { LongBody, OutboundBody, OutboundStream } from "../../../../adapters/net/port.ts";
import { readErrorCode } from "../../../../adapters/storage/s3-answers.ts";
import { signRequest } from "../../../../adapters/storage/s3-requests.ts";
import { config } from "../../../../config.ts";
import type { CredentialData } from "../../../../contracts/credentials/types.ts";
import { isTransientStatus } from "../../../../core/http-retry.ts";
import { firstBytes } from "./http-answer.ts";
import { StepFailure } from "./secrets.ts";
import { LIMIT_MARGIN_MS, type StepContext, timeoutOf } from "./step.ts";

export type Access = CredentialData<"s3">;

/** The most bytes that are read of an error response. */
const ERROR_BYTES = 4_096;
/** A page of a list has at most a thousand keys. */
export const MAX_LIST_BYTES = 16 * 1_048_576;
const PASSING = new Set(["outbound_failed", "outbound_timeout"]);

/** The failure for a status, so that steps can branch by its code. */
function refusalOf(status: number, code: string, what: string): StepFailure {
  if (status === 404 && code !== "NoSuchBucket")
    return new StepFailure("object_not_found", `${what}: there is no such object.`);
  const shown = code === "" ? `${status}` : `${status} ${code}`;
  return new StepFailure("storage_refused", `${what}: the storage answered ${shown}.`, isTransientStatus(status));
}

interface Call {
  method: "GET" | "PUT" | "DELETE";
  url: URL;
  headers?: Record<string, string>;
  body?: OutboundBody | LongBody | undefined;
  maxBytes?: number;
}

/**
 * Makes a signed request through the outbound guard. Redirects are not followed, because a signature is valid for one
 * host.
 * @throws {StepFailure} when the storage cannot be reached or refuses the request, or the credential may not be sent
 * there
 */
export async function callStorage(context: StepContext, access: Access, call: Call): Promise<OutboundStream> {
  const { parts, secrets, signal, policy } = context;
  const { method, url, headers, body, maxBytes = config().MAX_FILE_BYTES } = call;
  const what = `${method} ${url.pathname}`;
  secrets.check(url);
  let answer: OutboundStream;
  try {
    answer = await parts.stream({
      ...{ url: url.href, method, headers, body, signal, maxBytes },
      ...{ timeoutMs: timeoutOf(policy) + LIMIT_MARGIN_MS, maxRedirects: 0 },
      sign: hop => {
        secrets.check(hop.url);
        return signRequest(access, hop);
      },
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new StepFailure(error.code, `${what}: ${error.message}`, PASSING.has(error.code));
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return answer;
  const text = Buffer.from(await firstBytes(answer.body, ERROR_BYTES)).toString();
  throw refusalOf(status, readErrorCode(text), what);
}

/**
 * The text of a response.
 * @throws {StepFailure} when it breaks off or is too large
 */
export async function textOfAnswer({ body }: OutboundStream): Promise<string> {
  try {
    return (await buffer(body as AsyncIterable<Buffer>)).toString();
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new StepFailure(error.code, error.message, PASSING.has(error.code));
  }
}
