export type OutboundErrorCode =
  | "outbound_refused"
  | "outbound_timeout"
  | "outbound_failed"
  | "outbound_aborted"
  | "outbound_busy"
  | "response_too_large";

/**
 * A call that gave no answer. `outbound_refused`: a rule forbids it, trying again is no use; `outbound_busy`: too many
 * calls at this moment. The message is for the person who configured the call, and names no address behind a name.
 */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode;

  constructor(code: OutboundErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "OutboundError";
    this.code = code;
  }
}

/** Takes the rule that forbids the call, as the rest of a sentence. */
export const refused = (message: string) =>
  new OutboundError("outbound_refused", `The call is not allowed: ${message}`);
