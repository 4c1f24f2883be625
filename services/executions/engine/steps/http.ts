import { OutboundError } from "../../../../adapters/net/outbound-error.ts";
import type { StepResult } from "../../../../core/run/entry.ts";
import { idempotencyKey, timeoutOf, type Perform } from "./step.ts";

/** An answer is part of the step's output, which is bounded; more than this would be refused there. */
const MAX_RESPONSE_BYTES = 262_144;

function withQuery(url: string, query: Record<string, unknown>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== null);
  if (entries.length === 0) return url;
  const full = new URL(url);
  for (const [key, value] of entries) full.searchParams.append(key, String(value));
  return full.href;
}

function readBody(bytes: Uint8Array, type: string): unknown {
  const text = new TextDecoder().decode(bytes);
  if (!/\bjson\b/i.test(type) || text === "") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The step's own limit ends the call and says step_timeout; the call's comes later, and only where that was missed. */
const LIMIT_MARGIN_MS = 1_000;

/** Calls an HTTP endpoint. Every attempt carries the same Idempotency-Key, so a careful endpoint acts once. */
export const http: Perform<"http"> = async (data, { doc, at, signal, policy, parts }) => {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(data.headers)) headers[name.toLowerCase()] = String(value);
  let body: string | undefined;
  if (data.body !== undefined && data.body !== null) {
    body = typeof data.body === "string" ? data.body : JSON.stringify(data.body);
    if (typeof data.body !== "string") headers["content-type"] ??= "application/json";
  }
  headers["idempotency-key"] = idempotencyKey(doc, at);
  const { method } = data;
  const input = { method, url: data.url, query: data.query };
  const failed = (code: string, message: string, retryable = true): StepResult => ({
    kind: "failed",
    error: { code, message },
    retryable,
    input,
  });
  try {
    const url = withQuery(data.url, data.query);
    const limits = { signal, timeoutMs: timeoutOf(policy) + LIMIT_MARGIN_MS, maxBytes: MAX_RESPONSE_BYTES };
    const answer = await parts.fetch({ url, method, headers, body, ...limits });
    const output = {
      status: answer.status,
      headers: answer.headers,
      body: readBody(answer.body, answer.headers["content-type"] ?? ""),
    };
    if (data.failOnStatus && (answer.status < 200 || answer.status > 299)) {
      return failed("http_status", `${method} ${new URL(url).origin} answered ${answer.status}.`);
    }
    return { kind: "done", output, input };
  } catch (error) {
    if (error instanceof OutboundError) return failed(error.code, error.message, error.code !== "outbound_refused");
    if (error instanceof TypeError)
      return failed("invalid_data", `"${data.url}" is not a URL that can be called.`, false);
    throw error;
  }
};
