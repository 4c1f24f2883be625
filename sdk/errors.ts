import type { ErrorCode, Fault } from "./definition.ts";

/** The service's description of a failed request (a problem document, RFC 9457). */
export interface Problem {
  status: number;
  code: string;
  title: string;
  detail: string;
  requestId: string | undefined;
  errors: Fault[];
}

const MAX_NAMED_FAULTS = 3;

/** The message that logs and stack traces show: the detail, and the first faults with their fields. */
function messageOf({ detail, errors }: Problem): string {
  const named = errors.slice(0, MAX_NAMED_FAULTS).map(({ path, message }) => `${path || "body"}: ${message}`);
  const left = errors.length - named.length;
  const faults = [...named, ...(left > 0 ? [`${left} more`] : [])].join("; ");
  return faults ? `${detail} (${faults})` : detail;
}

/** The service refused a request, or could not serve it. */
export class WeftError extends Error {
  override readonly name = "WeftError";
  readonly status: number;
  /** A stable code, or `http_<status>` if a proxy responded instead of the service. */
  readonly code: ErrorCode | `http_${number}`;
  /** A short description of the kind of failure. */
  readonly title: string;
  readonly detail: string;
  /** Identifies the request in the service's logs. */
  readonly requestId: string | undefined;
  /** The faults, by field. */
  readonly errors: readonly Fault[];
  /** The delay that the service asks for before a retry, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(problem: Problem, retryAfterMs?: number) {
    super(messageOf(problem));
    this.status = problem.status;
    this.code = problem.code as WeftError["code"];
    this.title = problem.title;
    this.detail = problem.detail;
    this.requestId = problem.requestId;
    this.errors = problem.errors;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * No response arrived, because the service is unreachable, the connection broke, or the time limit passed. `cause` has
 * details.
 */
export class WeftConnectionError extends Error {
  override readonly name = "WeftConnectionError";
  readonly timedOut: boolean;

  constructor(message: string, { cause, timedOut = false }: { cause?: unknown; timedOut?: boolean } = {}) {
    super(message, { cause });
    this.timedOut = timedOut;
  }
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** A delay in seconds or a date (RFC 9110, section 10.2.3), in milliseconds from now. */
function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The error for a response outside of 2xx. A proxy may respond with any body. */
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
