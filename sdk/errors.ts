import type { ErrorCode, Fault } from "./definition.ts";

/** What the service says of a request that it does not serve (a problem document, RFC 9457). */
export interface Problem {
  status: number;
  code: string;
  title: string;
  detail: string;
  requestId: string | undefined;
  errors: Fault[];
}

/** The service refused a request, or could not serve it. */
export class WeftError extends Error {
  override readonly name = "WeftError";
  readonly status: number;
  /** A stable word; `http_<status>` where something on the way answered in the service's place. */
  readonly code: ErrorCode | `http_${number}`;
  readonly detail: string;
  /** What finds the request in the service's logs. */
  readonly requestId: string | undefined;
  /** What is wrong with which field. */
  readonly errors: readonly Fault[];
  /** When the service wants to be asked again, in milliseconds from now. */
  readonly retryAfterMs: number | undefined;

  constructor(problem: Problem, retryAfterMs?: number) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code as WeftError["code"];
    this.detail = problem.detail;
    this.requestId = problem.requestId;
    this.errors = problem.errors;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer came: the service cannot be reached, the connection broke, or it took too long. `cause` tells more. */
export class WeftConnectionError extends Error {
  override readonly name = "WeftConnectionError";
  readonly timedOut: boolean;

  constructor(message: string, { cause, timedOut = false }: { cause?: unknown; timedOut?: boolean } = {}) {
    super(message, { cause });
    this.timedOut = timedOut;
  }
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Seconds or a date (RFC 9110, section 10.2.3), in milliseconds from now. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The error that an answer outside of 2xx stands for; proxies on the way answer with anything. */
export function errorOf({ status, headers, statusText }: Response, body: unknown): WeftError {
  const given = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const title = text(given.title) ?? (statusText || `The answer was ${status}`);
  const problem: Problem = {
    status,
    code: text(given.code) ?? `http_${status}`,
    title,
    detail: text(given.detail) ?? title,
    requestId: text(given.requestId) ?? headers.get("x-request-id") ?? undefined,
    errors: Array.isArray(given.errors) ? (given.errors as Fault[]) : [],
  };
  return new WeftError(problem, retryAfterMs(headers.get("retry-after")));
}
