import { type ErrorCode, errorCode, type ErrorData, ERRORS } from "../../../contracts/errors.ts";

/**
 * The errors of Moleculer for an action that cannot be reached in time. They are compared by `type`, because classes
 * are lost between nodes.
 */
const UNREACHABLE = new Set([
  "SERVICE_NOT_FOUND",
  "SERVICE_NOT_AVAILABLE",
  "REQUEST_TIMEOUT",
  "REQUEST_SKIPPED",
  "REQUEST_REJECTED",
  "QUEUE_FULL",
  "BAD_GATEWAY",
]);
const RETRY_UNAVAILABLE_SECONDS = 1;

/** Replaces an unknown error code of a newer node by the general code of its status. */
const PLAIN: Record<number, ErrorCode> = {
  400: "validation_failed",
  401: "unauthenticated",
  403: "role_too_low",
  404: "not_found",
  409: "conflict",
  412: "precondition_failed",
  413: "payload_too_large",
  422: "invalid_definition",
  429: "rate_limited",
  503: "unavailable",
};

export interface Failure {
  code: ErrorCode;
  data: ErrorData;
}

/** The code and the data that a client sees for an error. Unknown errors become internal_error without details. */
export function failureOf(error: unknown): Failure {
  const { name, type, code: status, data } = (error ?? {}) as Record<string, unknown>;
  if (typeof type === "string" && UNREACHABLE.has(type)) {
    return { code: "unavailable", data: { retryAfterSeconds: RETRY_UNAVAILABLE_SECONDS } };
  }
  const code = errorCode(error) ?? (name === "AppError" ? PLAIN[Number(status)] : undefined);
  if (!code || code === "internal_error") return { code: "internal_error", data: {} };
  const known = (data ?? {}) as ErrorData;
  const retryAfterSeconds = known.retryAfterSeconds ?? (code === "unavailable" ? RETRY_UNAVAILABLE_SECONDS : undefined);
  return { code, data: { ...known, retryAfterSeconds } };
}

/** A problem document (RFC 9457). Its type links to the documentation of the error code. */
export function problemOf({ code, data }: Failure, requestId: string) {
  const { status, title } = ERRORS[code];
  return {
    type: `/docs#error-${code}`,
    title,
    status,
    detail: data.detail ?? title,
    code,
    requestId,
    ...(data.errors && { errors: data.errors }),
    ...(data.usedBy && { usedBy: data.usedBy }),
  };
}

export function problemHeaders({ code, data }: Failure): string[] {
  return [
    ...(ERRORS[code].status === 401 ? ["WWW-Authenticate", data.challenge ?? "Bearer"] : []),
    ...(data.retryAfterSeconds ? ["Retry-After", `${data.retryAfterSeconds}`] : []),
    ...(data.allow ? ["Allow", data.allow.join(", ")] : []),
  ];
}
