import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

export type McpTestAuth =
  | { type: "bearer"; token: string }
  | { type: "api_key"; key: string }
  | {
      type: "oauth";
      clientId: string;
      clientSecret?: string;
      /** Tokens that are valid from the start. */
      accessTokens?: string[];
      refreshTokens?: string[];
      /** The lifetime of new access tokens. Default: 3600. */
      lifetimeSeconds?: number;
      /** True if a refresh token works only once. */
      rotates?: boolean;
      /** True if the secret is sent in the form and not as Basic. */
      secretInForm?: boolean;
    };

export interface McpAuthorization {
  accessTokens: Set<string>;
  refreshTokens: Set<string>;
  /** The forms that the token endpoint received, oldest first. */
  grants: Record<string, string>[];
  tokenUrl: string;
  /** If set, the response of the token endpoint. */
  fault?: { status: number; body: unknown };
  /** Responds to requests for OAuth paths. */
  answer(path: string, headers: Record<string, string>, body: string, res: ServerResponse): boolean;
  admits(headers: Record<string, string>): boolean;
  challenge(res: ServerResponse): void;
}

/** An authorization server at the origin of the tool server. It also checks the tokens that it issued. */
export function startAuthorization(auth: McpTestAuth, url: string): McpAuthorization {
  const { origin } = new URL(url);
  const oauth = auth.type === "oauth" ? auth : undefined;
  const resourceMetadata = `${origin}/.well-known/oauth-protected-resource/mcp`;

  const knowsClient = (headers: Record<string, string>, form: URLSearchParams): boolean => {
    const basic = Buffer.from(headers.authorization?.replace(/^Basic /, "") ?? "", "base64").toString();
    const [id, secret] = oauth?.secretInForm
      ? [form.get("client_id"), form.get("client_secret")]
      : basic === ""
        ? [form.get("client_id"), undefined]
        : basic.split(":").map(part => new URLSearchParams(`part=${part}`).get("part"));
    return id === oauth?.clientId && (secret ?? undefined) === oauth?.clientSecret;
  };

  const state: McpAuthorization = {
    accessTokens: new Set(oauth?.accessTokens),
    refreshTokens: new Set(oauth?.refreshTokens),
    grants: [],
    tokenUrl: `${origin}/token`,
    answer(path, headers, body, res) {
      if (!oauth) return false;
      const json = (status: number, value: unknown) => {
        res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
        return true;
      };
      if (path === "/.well-known/oauth-protected-resource/mcp")
        return json(200, { resource: url, authorization_servers: [origin], scopes_supported: ["tools"] });
      if (path === "/.well-known/oauth-authorization-server")
        return json(200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: state.tokenUrl,
          response_types_supported: ["code"],
          token_endpoint_auth_methods_supported: [
            oauth.secretInForm ? "client_secret_post" : "client_secret_basic",
            "none",
          ],
        });
      if (path !== "/token") return false;
      const form = new URLSearchParams(body);
      state.grants.push(Object.fromEntries(form));
      if (state.fault) return json(state.fault.status, state.fault.body);
      if (!knowsClient(headers, form)) return json(401, { error: "invalid_client" });
      const refresh = form.get("refresh_token");
      if (form.get("grant_type") === "refresh_token") {
        if (refresh === null || !state.refreshTokens.has(refresh)) return json(400, { error: "invalid_grant" });
        if (oauth.rotates) state.refreshTokens.delete(refresh);
      } else if (form.get("grant_type") !== "client_credentials") return json(400, { error: "unsupported_grant_type" });
      const accessToken = `access-${randomUUID()}`;
      state.accessTokens.add(accessToken);
      const rotated = oauth.rotates && refresh !== null ? `refresh-${randomUUID()}` : undefined;
      if (rotated !== undefined) state.refreshTokens.add(rotated);
      return json(200, {
        access_token: accessToken,
        token_type: "Bearer",
        expires_in: oauth.lifetimeSeconds ?? 3600,
        ...(rotated !== undefined && { refresh_token: rotated }),
      });
    },
    admits(headers) {
      if (auth.type === "api_key") return headers["x-api-key"] === auth.key;
      const token = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
      if (token === undefined) return false;
      return auth.type === "bearer" ? token === auth.token : state.accessTokens.has(token);
    },
    challenge(res) {
      const more = oauth ? ` resource_metadata="${resourceMetadata}"` : "";
      res.writeHead(401, { "www-authenticate": `Bearer${more}` }).end();
    },
  };
  return state;
}
