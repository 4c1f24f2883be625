import { createHmac } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { serve } from "./outbound.ts";

export type Claims = Record<string, unknown>;

interface Options {
  /** Claims of the ID token that replace the correct ones. A claim with the value undefined is left out. */
  claims?: Claims;
  /** How the ID token is signed. Default: with the provider's own key. */
  signed?: "none" | "hmac" | "foreign" | "unlisted";
  /** Changes of the discovery document. */
  discovery?: Record<string, unknown>;
}

export const SECRET = "client-secret-0123456789abcdef";

/**
 * A provider that signs in anyone without a page, and sends false data on request. Stop it with `closeAll` of
 * `outbound.ts`.
 */
export async function startHostileProvider(clientId = "weft") {
  const key = await generateKeyPair("RS256");
  const foreign = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(key.publicKey)), kid: "own", alg: "RS256", use: "sig" };
  /** The nonce and the requested response, by code. */
  const begun = new Map<string, { nonce: string; told: Options & { person: Claims } }>();
  let codes = 0;
  let discovery: Record<string, unknown> = {};

  async function tokenOf(nonce: string, { person, claims = {}, signed }: Options & { person: Claims }) {
    const now = Math.floor(Date.now() / 1_000);
    const right = { iss: url, aud: clientId, iat: now, exp: now + 300, nonce, ...person };
    const payload = Object.fromEntries(
      Object.entries({ ...right, ...claims }).filter(([, value]) => value !== undefined),
    );
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    if (signed === "none") return `${encoded({ alg: "none" })}.${encoded(payload)}.`;
    if (signed === "hmac") {
      const text = `${encoded({ alg: "HS256" })}.${encoded(payload)}`;
      return `${text}.${createHmac("sha256", SECRET).update(text).digest("base64url")}`;
    }
    const kid = signed === "unlisted" ? "unknown" : "own";
    const by = signed === undefined ? key : foreign;
    return new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid }).sign(by.privateKey);
  }

  const { url, seen } = await serve((request, response) => {
    const json = (status: number, body: unknown) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const path = new URL(request.url ?? "/", "http://x").pathname;
    if (path === "/jwks") return json(200, { keys: [jwk] });
    if (path === "/.well-known/openid-configuration")
      return json(200, {
        issuer: url,
        authorization_endpoint: `${url}/auth`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        response_types_supported: ["code"],
        authorization_response_iss_parameter_supported: true,
        ...discovery,
      });
    if (path !== "/token") return json(404, {});
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const code = new URLSearchParams(text).get("code") ?? "";
      const known = begun.get(code);
      begun.delete(code);
      if (!known) return json(400, { error: "invalid_grant" });
      void tokenOf(known.nonce, known.told).then(id_token =>
        json(200, { access_token: "access-token", token_type: "Bearer", id_token }),
      );
    });
  });

  return {
    url,
    seen,
    lie(changed: Record<string, unknown>) {
      discovery = changed;
    },
    /** The parameters that the provider adds to the address when a person signs in at `authorizeUrl`. */
    answer(authorizeUrl: string, person: Claims, told: Options = {}): URLSearchParams {
      const { searchParams } = new URL(authorizeUrl);
      const code = `code-${++codes}`;
      begun.set(code, { nonce: searchParams.get("nonce") ?? "", told: { ...told, person } });
      return new URLSearchParams({ code, state: searchParams.get("state") ?? "", iss: url });
    },
    /** A logout token of a person. */
    logoutToken(claims: Claims, by = key): Promise<string> {
      const now = Math.floor(Date.now() / 1_000);
      const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
      const right = { iss: url, aud: clientId, iat: now, exp: now + 120, jti: `jti-${++codes}`, events };
      return new SignJWT({ ...right, ...claims })
        .setProtectedHeader({ alg: "RS256", kid: "own", typ: "logout+jwt" })
        .sign(by.privateKey);
    },
    foreign,
  };
}

export type HostileProvider = Awaited<ReturnType<typeof startHostileProvider>>;
