import type { FetchLike } from "@modelcontextprotocol/client";
import { clip } from "../../core/clip.ts";
import type { Credentials, RequestCredential } from "./credentials.ts";
import type { SignedFetch } from "./guarded-transport-fetch.ts";
import { McpError } from "./mcp-error.ts";

const MAX_SCOPE = 200;

function unauthorized(response: Response, host: string, { headers, sign }: RequestCredential): McpError {
  const { status } = response;
  const challenge = response.headers.get("www-authenticate") ?? "";
  const [, wanted = ""] = /\bscope="([\x20-\x7e]*?)"/.exec(challenge) ?? [];
  const scope = wanted === "" ? "" : `; it asks for the scope "${clip(wanted, MAX_SCOPE)}"`;
  if (status === 403)
    return new McpError("mcp_unauthorized", `${host} refuses access with this credential (403)${scope}`);
  const none = Object.keys(headers).length === 0 && !sign;
  return new McpError("mcp_unauthorized", `${host} ${none ? "asks for a" : "refused the"} credential (401)${scope}`);
}

/** Refuses a redirect to another origin with a plain message. The official transport does not follow it either. */
function checkRedirect(response: Response, from: URL): void {
  const location = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
  const to = location === null ? null : URL.parse(location, from.href);
  if (to && to.origin !== from.origin)
    throw new McpError(
      "mcp_refused",
      `${from.host} redirects to ${to.host}, and redirects to another origin are not followed: name that address instead`,
    );
}

/** Sends the credential with every request to its server, and never to another origin. Renews it once after a 401. */
export function createAuthorizedFetch(fetch: SignedFetch, credentials: Credentials, serverUrl: URL): FetchLike {
  return async (address, init = {}) => {
    const url = new URL(address);
    if (url.origin !== serverUrl.origin)
      throw new McpError("mcp_refused", `${serverUrl.host} leads to ${url.host}, where its credential is not sent`);
    const send = async ({ headers: own, sign }: RequestCredential) => {
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(own)) headers.set(name, value);
      return fetch(url, { ...init, headers, ...(sign && { sign }) });
    };
    let sent = await credentials.present();
    let response = await send(sent);
    if (response.status === 401 && (await credentials.renew(sent, response))) {
      sent = await credentials.present();
      response = await send(sent);
    }
    if (response.status === 401 || response.status === 403) throw unauthorized(response, url.host, sent);
    checkRedirect(response, url);
    return response;
  };
}
