import type { FetchLike } from "@modelcontextprotocol/client";
import { clip } from "../../../core/clip.ts";
import { McpError } from "../mcp-error.ts";
import type { McpOAuth, McpTokens } from "../port.ts";
import type { Sdk } from "../sdk.ts";
import type { TokenEndpoint } from "./token-endpoint.ts";

const MAX_TEXT = 200;
/** The characters that a header can carry. None of them can end the line. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/;

type Method = "client_secret_basic" | "client_secret_post" | "none";

const isMethod = (method: string): method is Method =>
  method === "client_secret_basic" || method === "client_secret_post" || method === "none";

/** Whether a new token can be obtained without a person. */
export const isRenewable = (auth: McpOAuth) =>
  auth.refreshToken !== undefined || (auth.clientId !== undefined && auth.clientSecret !== undefined);

function grantOf(auth: McpOAuth, { resource, scope }: TokenEndpoint): Record<string, string> {
  const asked = auth.scope ?? (auth.refreshToken === undefined ? scope : undefined);
  return {
    ...(auth.refreshToken === undefined
      ? { grant_type: "client_credentials" }
      : { grant_type: "refresh_token", refresh_token: auth.refreshToken }),
    ...(asked !== undefined && { scope: asked }),
    ...(resource !== undefined && { resource }),
  };
}

/** Encodes as a form does. Both halves of Basic are encoded like this (RFC 6749, section 2.3.1). */
const formText = (text: string) => new URLSearchParams({ text }).toString().slice("text=".length);

function withClient(method: Method, { clientId, clientSecret }: McpOAuth, form: Record<string, string>): RequestInit {
  const headers: Record<string, string> = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
  };
  if (clientId !== undefined && clientSecret !== undefined && method === "client_secret_basic") {
    const pair = `${formText(clientId)}:${formText(clientSecret)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  } else {
    if (clientId !== undefined) form.client_id = clientId;
    if (clientSecret !== undefined && method === "client_secret_post") form.client_secret = clientSecret;
  }
  return { method: "POST", headers, body: new URLSearchParams(form), redirect: "error" };
}

/** The authentication methods to try: the one that the server names, or both usual ones if it names none. */
function methodsFor(sdk: Sdk, { clientId = "", clientSecret }: McpOAuth, { methods }: TokenEndpoint): Method[] {
  if (clientSecret === undefined) return ["none"];
  if (methods.length === 0) return ["client_secret_basic", "client_secret_post"];
  const client = { client_id: clientId, client_secret: clientSecret };
  return [sdk.selectClientAuthMethod(client, methods)].filter(isMethod);
}

async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  const value: unknown = await response.json().catch(() => undefined);
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function readTokens(answer: Record<string, unknown>, host: string, now: number): McpTokens {
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type } = answer;
  const fits = (token: unknown): token is string => typeof token === "string" && TOKEN.test(token);
  if (!fits(accessToken)) throw new McpError("mcp_unauthorized", `${host} answered without a usable access token`);
  if (typeof type === "string" && type.toLowerCase() !== "bearer")
    throw new McpError("mcp_unauthorized", `${host} gives tokens of the unknown type "${clip(type, 40)}"`);
  const seconds = Number(answer.expires_in);
  return {
    accessToken,
    ...(fits(refreshToken) && { refreshToken }),
    ...(seconds > 0 && Number.isFinite(seconds) && { expiresAt: now + seconds * 1000 }),
  };
}

/**
 * Requests new tokens with the refresh token or, without one, with client credentials (RFC 6749, sections 4.4 and 6).
 * @throws {McpError} `mcp_unauthorized` when the endpoint refuses, `mcp_unreachable` when it is broken.
 * @throws {OutboundError} when the call fails or the guard refuses it.
 */
export async function requestTokens(
  sdk: Sdk,
  fetch: FetchLike,
  auth: McpOAuth,
  endpoint: TokenEndpoint,
  now: number,
): Promise<McpTokens> {
  const { host } = endpoint.url;
  let refusal = "no way of authentication in common";
  for (const method of methodsFor(sdk, auth, endpoint)) {
    const response = await fetch(endpoint.url, withClient(method, auth, grantOf(auth, endpoint)));
    const answer = await jsonOf(response);
    if (response.ok && answer.error === undefined) return readTokens(answer, host, now);
    if (response.status >= 500)
      throw new McpError("mcp_unreachable", `${host} answered with status ${response.status}`);
    const { error, error_description: text } = answer;
    refusal = [error, text].filter(part => typeof part === "string").join(": ") || `status ${response.status}`;
    if (error !== "invalid_client") break;
  }
  throw new McpError(
    "mcp_unauthorized",
    `${host} gave no new token: ${clip(refusal.replace(/\p{Cc}/gu, " "), MAX_TEXT)}`,
  );
}
