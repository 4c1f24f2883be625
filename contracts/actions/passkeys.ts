import { z } from "zod";
import { action } from "../define-action.ts";
import { newPasskey, passkey, passkeyAnswer, passkeyAttempt } from "../entities/passkey.ts";
import { browserSession } from "../entities/user.ts";
import { id, name, nothing, page, pageInput } from "../primitives.ts";

/**
 * The password of an account that has one. For an account without one, the session must have begun within the last 15
 * minutes.
 */
const password = z.string().max(256).optional();

export const passkeysActions = {
  "identity.browser.passkeys.begin": action("public", {}, passkeyAttempt),
  "identity.browser.passkeys.finish": action(
    "public",
    { ...passkeyAnswer, userAgent: z.string().max(1_000).optional() },
    browserSession,
  ),
  "identity.passkeys.list": action("user", { ...pageInput }, page(passkey)),
  "identity.passkeys.begin": action("user", { password }, passkeyAttempt),
  "identity.passkeys.finish": action("user", { ...passkeyAnswer, name }, newPasskey),
  "identity.passkeys.rename": action("user", { id, name }, passkey),
  "identity.passkeys.remove": action("user", { id, password }, nothing),
};
