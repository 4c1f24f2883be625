import type { OutboundRule, Refusal } from "./rules.ts";

export type OutboundErrorCode =
  | "outbound_refused"
  | "outbound_timeout"
  | "outbound_failed"
  | "outbound_aborted"
  | "outbound_busy"
  | "response_too_large";

/**
 * A call failed without an answer. `outbound_refused`: a rule forbids the call, and a retry is useless.
 * `outbound_busy`: too many calls at this moment. The message is for the person who configured the call. It does not
 * reveal the address behind a name.
 */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode;
  /** The rule that refused the call. Only with `outbound_refused`. */
  readonly rule: OutboundRule | undefined;

  constructor(code: OutboundErrorCode, message: string, details: { cause?: unknown; rule?: OutboundRule } = {}) {
    super(message, { cause: details.cause });
    this.name = "OutboundError";
    this.code = code;
    this.rule = details.rule;
  }
}

/** `by` says whether the caller or a redirect named the refused address. */
export const refused = ({ rule, says }: Refusal, by: "redirect" | "caller" = "caller") =>
  new OutboundError(
    "outbound_refused",
    `The call is not allowed: ${by === "redirect" ? "the redirect leads to a forbidden place: " : ""}${says} (rule: ${rule})`,
    { rule },
  );
