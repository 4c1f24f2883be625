import { OutboundError } from "../../../../adapters/net/outbound-error.ts";
import type { OutboundAnswer } from "../../../../adapters/net/port.ts";
import { errorCode } from "../../../../contracts/errors.ts";
import { MAX_RESPONSE_BYTES } from "../../../../core/graph/node-data.ts";
import { config } from "../../../../config.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import { isPassingStatus, isRetried, retryAfterMs } from "../../../../core/http-retry.ts";
import type { FailedResult } from "../../../../core/run/entry.ts";
import { BodyError, encodeBody, readBody, textOf } from "./http-body.ts";
import { fileBody, multipartBody, storeAnswer } from "./http-files.ts";
import { callWithSecrets } from "./http-credential.ts";
import { detailsOf, placeOf, sentText } from "./http-details.ts";
import { StepFailure } from "./secrets.ts";
import { LIMIT_MARGIN_MS, type StepContext, timeoutOf } from "./step.ts";

/** Without pagination an answer becomes the step's output, or a file. */
const USUAL_RESPONSE_BYTES = MAX_RESPONSE_BYTES;
/** The answer of a page is read for its items, which are mostly a part of it. */
const USUAL_PAGE_BYTES = 5 * 1024 * 1024;
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

/** What a call answered, with its body as the step's `response` says. */
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

/** Shows the request in the log of a tested step. The log of the process has neither queries, headers nor bodies. */
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

/** The failure of a step whose answer cannot be stored as a file. */
function notKept(error: unknown): [code: string, message: string, more: More] {
  const code = errorCode(error) ?? "unavailable";
  return [
    code,
    error instanceof Error ? error.message : "The file could not be stored.",
    { retryable: code === "unavailable" },
  ];
}

/** Makes one call of a step. Never throws: what goes wrong becomes the step's failure. */
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
  let answer: OutboundAnswer;
  try {
    url = withQuery(call.url, call.query);
    const body = await bodyOf(data, headers, context);
    const usual = data.pagination ? USUAL_PAGE_BYTES : USUAL_RESPONSE_BYTES;
    const limits = {
      signal,
      timeoutMs: timeoutOf(policy) + LIMIT_MARGIN_MS,
      maxBytes: data.maxResponseBytes ?? usual,
      maxRedirects: data.followRedirects,
    };
    const shown = typeof body === "string" || !body ? body : `(${body.length} bytes)`;
    tellSent({ method, url, headers, body: shown }, context);
    answer = await callWithSecrets(parts.fetch, { url, method, headers, body, ...limits }, secrets, data.credential);
  } catch (error) {
    if (error instanceof OutboundError) {
      const details = URL.canParse(url) ? { details: detailsOf({ method, url, headers }) } : {};
      const retryable = PASSING.has(error.code) && (retryOn?.includes("network") ?? true);
      return failed(error.code, error.message, { retryable, ...details });
    }
    if (error instanceof StepFailure) return failed(error.code, error.message, { retryable: error.retryable });
    if (error instanceof BodyError) return failed("invalid_data", error.message);
    if (error instanceof TypeError) return failed("invalid_data", `"${call.url}" is not a URL that can be called.`);
    throw error;
  }
  const { status } = answer;
  const details = () => detailsOf({ method, url, headers }, answer);
  if (data.failOnStatus && (status < 200 || status > 299)) {
    const retryable = retryOn ? isRetried(status, retryOn) : isPassingStatus(status);
    const asked = retryable ? retryAfterMs(answer.headers["retry-after"], Date.now()) : undefined;
    return failed("http_status", `${method} ${placeOf(url)} answered ${status}.`, {
      ...{ retryable, details: details() },
      ...(asked !== undefined && { retryAfterMs: asked }),
    });
  }
  const type = answer.headers["content-type"] ?? "";
  const given = (body: unknown): HttpResult => ({ answer: { status, headers: answer.headers, body, url: answer.url } });
  const text = data.response === "file" ? undefined : textOf(answer.body, type);
  if (text === undefined) {
    if (data.response === "file" || data.response === "auto")
      return storeAnswer(answer, context).then(given, error => failed(...notKept(error)));
    const what = `${answer.body.length} bytes of ${type || "an unnamed type"}`;
    return failed("not_text", `${method} ${placeOf(url)} answered ${what} that are no text.`, { details: details() });
  }
  const body = readBody(text, type, data.response === "file" ? "text" : data.response);
  if (body === undefined)
    return failed("not_json", `${method} ${placeOf(url)} answered what is no JSON.`, { details: details() });
  return given(body);
}
