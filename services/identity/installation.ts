import { siteOf } from "../../adapters/webauthn/passkeys.ts";
import { config, VERSION } from "../../config.ts";
import { handle } from "../../contracts/call.ts";
import type { Installation } from "../../contracts/entities/installation.ts";
import { registrationNow } from "../../core/registration.ts";
import { hasMail } from "../../service-kit/mail.ts";
import { publicUrl } from "../../service-kit/public-url.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { isEmpty } from "./password-sign-in.ts";

export const installation = handle<"identity.installation", WithStore>("identity.installation", async function () {
  const {
    REGISTRATION,
    CONTACT,
    CONSOLE,
    LLM_BASE_URL,
    LLM_MODEL,
    EMBEDDINGS_MODEL,
    LIMITS,
    OIDC,
    SSO_ONLY,
    EXECUTIONS_RETENTION_DAYS,
  } = config();
  const registration: Installation["registration"] = registrationNow(REGISTRATION, await isEmpty(this.store));
  return {
    version: VERSION,
    registration,
    ...(CONTACT !== undefined && { contact: CONTACT }),
    mail: hasMail(),
    sso: OIDC.map(({ id, name }) => ({ id, name })),
    ssoOnly: SSO_ONLY,
    passkeys: siteOf(publicUrl()) !== null,
    publicUrl: publicUrl(),
    console: CONSOLE,
    chatModel: LLM_BASE_URL === undefined ? null : (LLM_MODEL ?? null),
    embedder: embedderName(EMBEDDINGS_MODEL),
    executionRetentionDays: EXECUTIONS_RETENTION_DAYS,
    limits: { ...LIMITS },
  };
});

/** The name of a local model is the path of its folder, which must not be shown to anonymous clients. */
function embedderName(model: string | undefined): string {
  if (model === undefined) return "built-in";
  return model.startsWith("file:/") ? "local" : model;
}
