import { Errors } from "moleculer";

/** Every error that the API can return: code → status and title. Documentation and OpenAPI are derived from it. */
export const ERRORS = {
  malformed_json: { status: 400, title: "The body is not valid JSON" },
  validation_failed: { status: 400, title: "The request is not valid" },
  json_too_deep: { status: 400, title: "The body is nested too deeply" },
  invalid_cursor: { status: 400, title: "The cursor is not valid" },
  unauthenticated: { status: 401, title: "A valid bearer token is required" },
  invalid_credentials: { status: 401, title: "The e-mail address or the password is wrong" },
  second_factor_required: { status: 401, title: "A code of your second factor is required" },
  invalid_code: { status: 401, title: "The code is wrong or has been used" },
  passkey_refused: { status: 401, title: "The passkey was not accepted" },
  invalid_refresh_token: { status: 401, title: "The refresh token is not valid" },
  invalid_webhook_secret: { status: 401, title: "The secret or signature of the delivery is missing or wrong" },
  link_credential_wrong: { status: 401, title: "The credential that the link demands is missing or wrong" },
  role_too_low: { status: 403, title: "Your role does not allow this" },
  scope_missing: { status: 403, title: "The scopes of the API key do not allow this" },
  address_not_allowed: { status: 403, title: "The API key is not valid from this address" },
  operator_only: { status: 403, title: "Only operators of this installation may do this" },
  api_key_not_allowed: { status: 403, title: "API keys cannot use this route" },
  invite_not_yours: { status: 403, title: "The invite is for another e-mail address" },
  origin_not_allowed: { status: 403, title: "Requests from this origin are not allowed" },
  registration_closed: { status: 403, title: "You cannot register at this installation" },
  factor_required: { status: 403, title: "A session with a second factor is required" },
  sso_only: { status: 403, title: "Passwords are disabled: sign in with a provider" },
  sso_refused: { status: 403, title: "The sign-in by the provider was refused" },
  sso_not_linked: { status: 403, title: "The account with this address is not linked to the provider" },
  sign_in_again: { status: 403, title: "This requires a sign-in within the last 15 minutes" },
  account_disabled: { status: 403, title: "The account is disabled" },
  not_found: { status: 404, title: "The resource does not exist" },
  method_not_allowed: { status: 405, title: "This path does not support the method" },
  factor_exists: { status: 409, title: "The account has an authenticator app already" },
  sso_linked_elsewhere: { status: 409, title: "The person at the provider is linked to another account" },
  last_way_in: { status: 409, title: "This is the only way to sign in to the account" },
  email_taken: { status: 409, title: "The e-mail address is already registered" },
  slug_taken: { status: 409, title: "The slug is already in use" },
  name_taken: { status: 409, title: "The name is already in use" },
  owner_is_fixed: { status: 409, title: "The owner of a workspace cannot be demoted or removed" },
  role_managed: { status: 409, title: "The groups of a provider give this role" },
  already_member: { status: 409, title: "The user is already a member" },
  already_invited: { status: 409, title: "The e-mail address is already invited" },
  limit_reached: { status: 409, title: "Limit reached" },
  owns_workspaces: { status: 409, title: "The account is the only owner of workspaces with other members" },
  account_is_own: { status: 409, title: "Operators cannot do this to their own account" },
  default_space: { status: 409, title: "A default space cannot be deleted on its own" },
  workflow_trashed: { status: 409, title: "The workflow is in the trash" },
  execution_key_taken: { status: 409, title: "An open run of the workflow has this key" },
  execution_finished: { status: 409, title: "The run has already ended" },
  execution_not_suspended: { status: 409, title: "The run is not waiting for an answer" },
  execution_not_retryable: { status: 409, title: "Only a failed or cancelled run can be retried" },
  execution_not_removable: { status: 409, title: "The run cannot be removed yet" },
  authorization_refused: { status: 400, title: "The authorization of the credential is not valid" },
  credential_in_use: { status: 409, title: "The credential is in use" },
  credential_needs_authorization: { status: 409, title: "The credential needs to be authorized again" },
  credential_unreadable: { status: 409, title: "The credential can no longer be decrypted" },
  memory_current: { status: 409, title: "The memory is already current" },
  import_not_kept: { status: 409, title: "The import cannot be retried, as its file is not kept any more" },
  conflict: { status: 409, title: "Another request changed the resource at the same time" },
  link_invalid: { status: 410, title: "The link has expired or has already been used" },
  invite_expired: { status: 410, title: "The invite has expired" },
  invite_used: { status: 410, title: "The invite has already been used" },
  invite_declined: { status: 410, title: "The invite was declined" },
  idempotency_key_reused: { status: 409, title: "The Idempotency-Key was used for a different request" },
  idempotency_in_progress: { status: 409, title: "The first request with this Idempotency-Key is still running" },
  idempotency_answer_too_large: {
    status: 409,
    title: "The first answer for this Idempotency-Key was too large to store",
  },
  precondition_failed: { status: 412, title: "The resource has changed since the version in If-Match" },
  payload_too_large: { status: 413, title: "The body is too large" },
  range_not_satisfiable: { status: 416, title: "The requested range is outside the file" },
  unsupported_media_type: { status: 415, title: "The media type is not supported" },
  invalid_definition: { status: 422, title: "The workflow definition is not valid" },
  quota_exceeded: { status: 429, title: "A quota of the workspace is used up" },
  rate_limited: { status: 429, title: "Too many requests" },
  no_passkeys_here: { status: 409, title: "Browsers do not allow passkeys at the address of this installation" },
  no_mail_configured: { status: 409, title: "No mail server is configured" },
  no_model_configured: { status: 409, title: "No language model is configured" },
  sso_unavailable: { status: 502, title: "The provider did not answer" },
  model_refused: { status: 502, title: "The model server refused the request" },
  model_bad_output: { status: 502, title: "The model's answer cannot be used" },
  model_unavailable: { status: 503, title: "The model is not available" },
  model_timeout: { status: 504, title: "The model did not answer in time" },
  tool_arguments_invalid: { status: 400, title: "The arguments do not match the tool's input schema" },
  tool_server_refused: { status: 502, title: "The tool server refused the call, or Weft may not call it" },
  tool_call_failed: { status: 502, title: "The tool call failed" },
  tool_server_unavailable: { status: 503, title: "The tool server is not available" },
  tool_timeout: { status: 504, title: "The tool did not answer in time" },
  internal_error: { status: 500, title: "Internal server error" },
  unavailable: { status: 503, title: "The service is temporarily unavailable" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

export interface Fault {
  /** A JSON Pointer (RFC 6901) into the body or to a field of the query, or the name of a header. */
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
  /** The value of `WWW-Authenticate`. Default: a bearer token. */
  challenge?: string;
  /** The objects that prevent a deletion. */
  usedBy?: { kind: string; id: string; name: string; spaceId: string | null; workflowId: string | null }[];
}

/** An error that the caller may see. Its class is lost between nodes, but `type` (the code) and `data` are kept. */
export class AppError extends Errors.MoleculerError {
  constructor(code: ErrorCode, data: ErrorData = {}) {
    super(data.detail ?? ERRORS[code].title, ERRORS[code].status, code, data);
    this.name = "AppError";
  }
}

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERRORS, value);
}

/** The code of an API error, on whichever node it was thrown. */
export function errorCode(error: unknown): ErrorCode | undefined {
  const type = (error as { type?: unknown } | null)?.type;
  return isErrorCode(type) ? type : undefined;
}

/** The same error for missing objects and for objects that the caller must not know of. */
export const notFound = (what: string) => new AppError("not_found", { detail: `No such ${what}.` });
