import { z } from "zod";
import { id, timestamp } from "../primitives.ts";

/** The events in the log of an account, and their descriptions. */
export const ACCOUNT_EVENTS = {
  signed_in: "a sign-in",
  sign_in_failed: "a sign-in with a wrong password",
  factor_failed: "a sign-in with the right password and a wrong code",
  password_changed: "the password was changed",
  password_reset: "the password was reset by a link",
  email_changed: "the address was changed",
  totp_added: "an authenticator app was set up",
  totp_removed: "the authenticator app was removed",
  recovery_codes_renewed: "new recovery codes were made",
  passkey_added: "a passkey was added",
  passkey_removed: "a passkey was removed",
  passkey_refused: "a sign-in by a passkey was refused",
  provider_linked: "a provider was linked",
  provider_removed: "a provider was removed",
  sso_refused: "a sign-in by a provider was refused",
  recovery_code_used: "a sign-in by a recovery code",
  other_sessions_ended: "all sessions but one were ended",
  account_disabled: "an operator disabled the account",
  account_enabled: "an operator enabled the account",
  sessions_ended: "an operator ended all sessions",
  factors_removed: "an operator removed the second factor",
  reset_link_made: "an operator made a link that resets the password",
} as const;
export type AccountEventType = keyof typeof ACCOUNT_EVENTS;
export const accountEventType = z.enum(Object.keys(ACCOUNT_EVENTS) as [AccountEventType, ...AccountEventType[]]);

/** An entry in the log of a person's own account. */
export const accountEvent = z
  .object({
    id,
    at: timestamp,
    type: accountEventType,
    detail: z.string().nullable().meta({ description: "The provider, or why it was refused." }),
    address: z.string().nullable().meta({ description: "The address from which it was done." }),
    userAgent: z.string().nullable().meta({ description: "The user agent of the browser." }),
  })
  .meta({ id: "AccountEvent" });
export type AccountEvent = z.infer<typeof accountEvent>;
