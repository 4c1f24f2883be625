import { Errors } from "moleculer";

/** Every error that the API can answer: code → status and title. Documentation and OpenAPI are derived from it. */
export const ERRORS = {
  malformed_json: { status: 400, title: "The body is not valid JSON" },
  validation_failed: { status: 400, title: "The request is not valid" },
  json_too_deep: { status: 400, title: "The body is nested too deeply" },
  invalid_cursor: { status: 400, title: "The cursor is not one of ours" },
  unauthenticated: { status: 401, title: "A valid bearer token is needed" },
  invalid_credentials: { status: 401, title: "E-mail or password is wrong" },
  invalid_refresh_token: { status: 401, title: "The refresh token is not valid" },
  invalid_webhook_secret: { status: 401, title: "The header x-webhook-secret is missing or wrong" },
  role_too_low: { status: 403, title: "Your role does not allow this" },
  api_key_not_allowed: { status: 403, title: "This takes a signed-in user, not an API key" },
  invite_not_yours: { status: 403, title: "This invite names another e-mail address than yours" },
  origin_not_allowed: { status: 403, title: "This origin is not allowed" },
  not_found: { status: 404, title: "There is no such resource" },
  method_not_allowed: { status: 405, title: "The method is not allowed here" },
  email_taken: { status: 409, title: "This e-mail address is registered" },
  slug_taken: { status: 409, title: "This slug is taken" },
  owner_is_fixed: { status: 409, title: "An owner can be neither demoted nor removed" },
  already_member: { status: 409, title: "This user is a member already" },
  already_invited: { status: 409, title: "This e-mail address is invited already" },
  limit_reached: { status: 409, title: "There are as many of these as there may be" },
  default_space: { status: 409, title: "A default space goes only with its owner" },
  workflow_trashed: { status: 409, title: "The workflow is in the trash" },
  execution_finished: { status: 409, title: "The execution has ended" },
  execution_not_suspended: { status: 409, title: "The execution is not waiting for an answer" },
  execution_not_retryable: { status: 409, title: "Only a failed or cancelled execution can be retried" },
  memory_current: { status: 409, title: "The memory is current, so there is nothing to restore" },
  conflict: { status: 409, title: "The resource was changed at the same time" },
  invite_expired: { status: 410, title: "The invite has expired" },
  invite_used: { status: 410, title: "The invite has been used" },
  idempotency_key_reused: { status: 409, title: "This Idempotency-Key came with another request before" },
  idempotency_in_progress: { status: 409, title: "The first request with this Idempotency-Key is not answered yet" },
  idempotency_answer_too_large: {
    status: 409,
    title: "The first answer to this Idempotency-Key was too large to keep",
  },
  precondition_failed: { status: 412, title: "The resource is not the version you named" },
  payload_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body is of no type that is taken" },
  invalid_definition: { status: 422, title: "The definition has faults" },
  rate_limited: { status: 429, title: "Too many requests" },
  no_model_configured: { status: 409, title: "No language model is configured" },
  model_refused: { status: 502, title: "The model, or its server, refused" },
  model_bad_output: { status: 502, title: "The model gave nothing that can be used" },
  model_unavailable: { status: 503, title: "The model is not available" },
  model_timeout: { status: 504, title: "The model took too long" },
  tool_arguments_invalid: { status: 400, title: "The arguments are not what the tool takes" },
  tool_server_refused: { status: 502, title: "The tool server refused, or may not be called" },
  tool_call_failed: { status: 502, title: "The tool server could not carry out the call" },
  tool_server_unavailable: { status: 503, title: "The tool server is not available" },
  tool_timeout: { status: 504, title: "The tool took too long" },
  internal_error: { status: 500, title: "Something went wrong on our side" },
  unavailable: { status: 503, title: "A part of the service is not available" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

export interface Fault {
  /** A JSON Pointer (RFC 6901) into the body, or to a field of the query; a header by its name. */
  path: string;
  message: string;
  /** The node that a fault of a definition belongs to. */
  nodeId?: string;
}

export interface ErrorData {
  detail?: string;
  errors?: Fault[];
  retryAfterSeconds?: number;
  allow?: string[];
}

/** An error that the caller may see. Its class is lost between nodes; `type` (the code) and `data` survive. */
export class AppError extends Errors.MoleculerError {
  constructor(code: ErrorCode, data: ErrorData = {}) {
    super(data.detail ?? ERRORS[code].title, ERRORS[code].status, code, data);
    this.name = "AppError";
  }
}

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERRORS, value);
}

/** The code of an error of ours, wherever it was thrown. */
export function errorCode(error: unknown): ErrorCode | undefined {
  const type = (error as { type?: unknown } | null)?.type;
  return isErrorCode(type) ? type : undefined;
}

/** The one answer for what is not there and for what the caller may not know of. */
export const notFound = (what: string) => new AppError("not_found", { detail: `No such ${what}.` });
