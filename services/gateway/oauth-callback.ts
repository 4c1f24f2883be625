import type { ServiceBroker } from "moleculer";
import { config } from "../../config.ts";
import { call } from "../../contracts/call.ts";
import { authorizationCookie, authorizationToken } from "./http/authorization-cookie.ts";
import type { Exchange } from "./http/exchange.ts";

const PLAIN = "text/plain; charset=utf-8";
const ENDED = "The authorization has ended. You can close this page.\n";

/** Completes an authorization and redirects the browser to the page of the credential. */
export async function answerCallback(x: Exchange, broker: ServiceBroker): Promise<void> {
  const token = authorizationToken(x.req.headers);
  const asked = { query: x.search, token };
  const { workspaceId, id } = await call(broker, "credentials.callback", asked);
  x.headers.push("Set-Cookie", authorizationCookie(x.req.headers, { token: "", seconds: 0 }));
  if (!config().CONSOLE) return x.send(200, PLAIN, ENDED);
  x.headers.push("Location", `/w/${workspaceId}/settings/credentials?id=${id}`);
  x.send(302, PLAIN, ENDED);
}
