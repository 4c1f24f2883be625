import { OutboundError } from "../../../../adapters/net/outbound-error.ts";
import type { OutboundStream } from "../../../../adapters/net/port.ts";
import { errorCode } from "../../../../contracts/errors.ts";
import { config } from "../../../../config.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import { isRetried, isTransientStatus, retryAfterMs } from "../../../../core/http-retry.ts";
import type { FailedResult } from "../../../../core/run/entry.ts";
import { firstBytes, maxBytesOf, readAnswer } from "./http-answer.ts";
import { BodyError, encodeBody } from "../../../../core/http-body.ts";
import { fileBody, multipartBody } from "./http-files.ts";
import { callWithSecrets } from "./http-credential.ts";
import { detailsOf, placeOf, sentText } from "./http-details.ts";
import { StepFailure } from "./secrets.ts";
import { LIMIT_MARGIN_MS, type StepContext, timeoutOf } from "./step.ts";

/** The most bytes that are read of a failed response, for the details of the failure. */
const DETAIL_BYTES = 256 * 1024;
/** Errors that another attempt may not meet. All other errors recur. */
const PASSING: ReadonlySet<string> = new Set([
  "outbound_timeout",
  "outbound_failed",
  "outbound_aborted",
  "outbound_busy",
]);

export interface HttpCall {
  url: string;
  query: Record<string, unknown>;
  idempotencyKey: string;
}

/** A response, with its body in the form that the step's `response` sets. */
export interface HttpAnswered {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** The address that answered, after redirects. */
  url: string;
}

export type HttpResult = { answer: HttpAnswered } | { failure: FailedResult };

interface More {
  retryable?: boolean;
  retryAfterMs?: number | undefined;
  details?: Record<string, unknown>;
}

function withQuery(url: string, query: Record<string, unknown>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== null);
  if (entries.length === 0) return url;
  const full = new URL(url);
  for (const [key, value] of entries) full.searchParams.append(key, String(value));
  return full.href;
}

const isDebug = () => ["debug", "trace"].includes(config().LOG_LEVEL);

/**
 * Shows the request in the log of a tested step. The log of the process contains neither queries, headers nor bodies.
 */
function tellSent(request: Parameters<typeof sentText>[0], context: StepContext): void {
  if (context.dry) context.log({ level: "info", message: sentText(request) });
  else if (isDebug()) {
    const { method, url } = request;
    context.parts.broker.logger.debug(context.secrets.mask(`Sends ${method} ${placeOf(url)}`));
  }
}

function bodyOf({ body, bodyType }: DataOf<"http">, headers: Record<string, string>, context: StepContext) {
  if (body === undefined || body === null) return undefined;
  if (bodyType === "file") return fileBody(body, headers, context);
  if (bodyType === "multipart") return multipartBody(body, headers, context);
  return encodeBody(body, headers, bodyType);
}

/** The failure of a step whose file cannot be read, or whose response cannot be stored as a file. */
function notKept(error: unknown): [code: string, message: string, more: More] {
  const code = errorCode(error) ?? "unavailable";
  return [
    code,
    error instanceof Error ? error.message : "The file could not be read or stored.",
    { retryable: code === "unavailable" },
  ];
}

/** Makes one call of a step. Never throws: an error becomes the step's failure. */
export async function callHttp(data: DataOf<"http">, context: StepContext, call: HttpCall): Promise<HttpResult> {
  const { method, retryOn } = data;
  const { signal, policy, parts, secrets } = context;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(data.headers)) headers[name.toLowerCase()] = String(value);
  headers["idempotency-key"] = call.idempotencyKey;
  const input = { method, url: call.url, query: call.query };
  const failed = (code: string, message: string, { details, ...more }: More = {}): HttpResult => ({
    failure: {
      kind: "failed",
      error: { code, message, ...(details && { details }) },
      retryable: false,
      input,
      ...more,
    },
  });
  let url = "";
  let answer: OutboundStream | undefined;
  try {
    url = withQuery(call.url, call.query);
    const sent = await bodyOf(data, headers, context);
    const limits = {
      signal,
      timeoutMs: timeoutOf(policy) + LIMIT_MARGIN_MS,
      maxBytes: maxBytesOf(data),
      maxRedirects: data.followRedirects,
    };
    tellSent({ method, url, headers, body: typeof sent === "object" ? `(${sent.size} bytes)` : sent }, context);
    const request = { url, method, headers, body: sent, ...limits };
    answer = await callWithSecrets(parts.stream, request, secrets, data.credential);
    const { status } = answer;
    const { headers: answered } = answer;
    const detailsWith = (body: Uint8Array) => ({
      details: detailsOf({ method, url, headers }, { status, headers: answered, body }),
    });
    if (data.failOnStatus && (status < 200 || status > 299)) {
      const retryable = retryOn ? isRetried(status, retryOn) : isTransientStatus(status);
      const asked = retryable ? retryAfterMs(answered["retry-after"], Date.now()) : undefined;
      return failed("http_status", `${method} ${placeOf(url)} answered ${status}.`, {
        ...{ retryable, ...detailsWith(await firstBytes(answer.body, DETAIL_BYTES)) },
        ...(asked !== undefined && { retryAfterMs: asked }),
      });
    }
    const read = await readAnswer(answer, data, context);
    if ("body" in read) return { answer: { status, headers: answered, body: read.body, url: answer.url } };
    const type = answered["content-type"] ?? "";
    const what =
      read.not === "json"
        ? "with a body that is not JSON"
        : `${read.bytes.length} bytes of ${type || "an unnamed type"} that are not text`;
    return failed(`not_${read.not}`, `${method} ${placeOf(url)} answered ${what}.`, detailsWith(read.bytes));
  } catch (error) {
    if (error instanceof OutboundError) {
      const details = URL.canParse(url) ? { details: detailsOf({ method, url, headers }) } : {};
      const retryable = PASSING.has(error.code) && (retryOn?.includes("network") ?? true);
      return failed(error.code, error.message, { retryable, ...details });
    }
    if (error instanceof StepFailure) return failed(error.code, error.message, { retryable: error.retryable });
    if (error instanceof BodyError) return failed("invalid_data", error.message);
    if (errorCode(error) !== undefined) return failed(...notKept(error));
    if (error instanceof TypeError) return failed("invalid_data", `"${call.url}" is not a URL that can be called.`);
    throw error;
  } finally {
    await answer?.body.return();
  }
}
