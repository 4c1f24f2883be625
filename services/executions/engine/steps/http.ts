import { OutboundError } from "../../../../adapters/net/outbound-error.ts";
import type { OutboundAnswer } from "../../../../adapters/net/port.ts";
import { isPassingStatus, retryAfterMs } from "../../../../core/http-retry.ts";
import type { StepResult } from "../../../../core/run/entry.ts";
import { BodyError, encodeBody, readBody, textOf } from "./http-body.ts";
import { callWithSecrets } from "./http-credential.ts";
import { detailsOf, placeOf } from "./http-details.ts";
import { StepFailure } from "./secrets.ts";
import { idempotencyKey, LIMIT_MARGIN_MS, timeoutOf, type Perform } from "./step.ts";

/** An answer becomes part of the step's output, whose size is limited. A larger answer would be refused there. */
const MAX_RESPONSE_BYTES = 262_144;
/** Errors that another attempt may not meet. All other errors recur. */
const PASSING: ReadonlySet<string> = new Set([
  "outbound_timeout",
  "outbound_failed",
  "outbound_aborted",
  "outbound_busy",
]);

function withQuery(url: string, query: Record<string, unknown>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== null);
  if (entries.length === 0) return url;
  const full = new URL(url);
  for (const [key, value] of entries) full.searchParams.append(key, String(value));
  return full.href;
}

/** Calls an HTTP endpoint. Every attempt carries the same Idempotency-Key, so a careful endpoint acts once. */
export const http: Perform<"http"> = async (data, { doc, at, signal, policy, parts, secrets }) => {
  const { method } = data;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(data.headers)) headers[name.toLowerCase()] = String(value);
  headers["idempotency-key"] = idempotencyKey(doc, at);
  const input = { method, url: data.url, query: data.query };
  const failed = (
    code: string,
    message: string,
    more: { retryable?: boolean; retryAfterMs?: number | undefined; details?: Record<string, unknown> } = {},
  ): StepResult => {
    const { details, ...rest } = more;
    return { kind: "failed", error: { code, message, ...(details && { details }) }, retryable: false, input, ...rest };
  };
  let url = "";
  let answer: OutboundAnswer;
  try {
    url = withQuery(data.url, data.query);
    const body = encodeBody(data.body, headers);
    const limits = { signal, timeoutMs: timeoutOf(policy) + LIMIT_MARGIN_MS, maxBytes: MAX_RESPONSE_BYTES };
    const request = { url, method, headers, body, ...limits };
    answer = await callWithSecrets(parts.fetch, request, secrets, data.credential);
  } catch (error) {
    if (error instanceof OutboundError) {
      const details = URL.canParse(url) ? { details: detailsOf({ method, url, headers }) } : {};
      return failed(error.code, error.message, { retryable: PASSING.has(error.code), ...details });
    }
    if (error instanceof StepFailure) return failed(error.code, error.message, { retryable: error.retryable });
    if (error instanceof BodyError) return failed("invalid_data", error.message);
    if (error instanceof TypeError) return failed("invalid_data", `"${data.url}" is not a URL that can be called.`);
    throw error;
  }
  const { status } = answer;
  const details = () => detailsOf({ method, url, headers }, answer);
  if (data.failOnStatus && (status < 200 || status > 299)) {
    const retryable = isPassingStatus(status);
    const asked = retryable ? retryAfterMs(answer.headers["retry-after"], Date.now()) : undefined;
    return failed("http_status", `${method} ${placeOf(url)} answered ${status}.`, {
      ...{ retryable, details: details() },
      ...(asked !== undefined && { retryAfterMs: asked }),
    });
  }
  const type = answer.headers["content-type"] ?? "";
  const text = textOf(answer.body, type);
  if (text === undefined) {
    const what = `${answer.body.length} bytes of ${type || "an unnamed type"}`;
    return failed("not_text", `${method} ${placeOf(url)} answered ${what} that are no text.`, { details: details() });
  }
  return { kind: "done", output: { status, headers: answer.headers, body: readBody(text, type) }, input };
};
