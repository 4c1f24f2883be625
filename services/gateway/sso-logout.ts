import type { ServiceBroker } from "moleculer";
import { call } from "../../contracts/call.ts";
import { errorCode } from "../../contracts/errors.ts";
import type { Exchange } from "./http/exchange.ts";
import { FORM_ONLY, readBody } from "./request/body.ts";
import type { Input } from "./request/input.ts";

const MAX_BYTES = 16_384;

/** Ends the sessions that a provider's logout token names (OpenID Connect Back-Channel Logout 1.0, section 2.8). */
export async function answerSsoLogout(x: Exchange, { provider }: Input, broker: ServiceBroker): Promise<void> {
  const form = (await readBody(x, MAX_BYTES, FORM_ONLY)) as { logout_token?: unknown } | undefined;
  const token = form?.logout_token;
  try {
    if (typeof token !== "string") return x.json(400, { error: "invalid_request" });
    await call(broker, "identity.sso.logout", { provider: String(provider), token });
    x.send(200);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "sso_refused" && code !== "validation_failed") throw error;
    x.json(400, { error: "invalid_request", error_description: (error as Error).message });
  }
}
