import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Api } from "./api.ts";

/**
 * An authorization server that rotates refresh tokens. It accepts the previous token until the new one was used, for
 * clients that lost its response (RFC 9700, section 4.14.2). Using an earlier token ends the whole authorization.
 */
export interface RotatingTokens {
  url: string;
  /** How often a refresh token was used, including the previous one. */
  refreshes: number;
  /** How often the previous refresh token was used again. */
  repeats: number;
  /** True once an earlier refresh token was used. */
  isRevoked: boolean;
  /** All tokens that it issued. */
  given: string[];
  /** The lifetime of new access tokens, in seconds. */
  seconds: number;
  /** True if it issues refresh tokens. */
  givesRefreshTokens: boolean;
  /** Awaited after tokens were rotated, before the response is sent. */
  beforeAnswer: () => Promise<void>;
  close(): Promise<void>;
}

export async function startRotatingTokens(): Promise<RotatingTokens> {
  let count = 0;
  let current = "";
  let former = "";
  const rotate = () => (current = `refresh-${++count}-0123456789abcdef`);
  const server = createServer((request, response) => {
    void text(request).then(async body => {
      const form = new URLSearchParams(body);
      const given = form.get("refresh_token");
      const json = (status: number, value: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      if (form.get("grant_type") === "refresh_token") {
        state.refreshes++;
        if (given === former && given !== "") state.repeats++;
        else if (given === current && given !== "") former = current;
        else state.isRevoked = true;
      } else former = "";
      if (state.isRevoked) {
        json(400, { error: "invalid_grant" });
        return;
      }
      const refresh = state.givesRefreshTokens ? { refresh_token: rotate() } : {};
      const access = { access_token: `access-${count}-0123456789abcdef`, token_type: "Bearer" };
      state.given.push(access.access_token, ...Object.values(refresh));
      await state.beforeAnswer();
      json(200, { ...access, expires_in: state.seconds, ...refresh });
    });
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const state: RotatingTokens = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ refreshes: 0, repeats: 0, isRevoked: false, given: [], seconds: 3_600, givesRefreshTokens: true },
    beforeAnswer: () => Promise.resolve(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return state;
}

/** Creates a credential for this server, and authorizes it like a person's browser. Returns its id. */
export async function authorizedCredential(
  api: Api,
  base: string,
  { url }: RotatingTokens,
  host: string,
  name = `Authorized ${Math.random()}`,
): Promise<string> {
  const data = { tokenUrl: `${url}/token`, authorizeUrl: `${url}/authorize`, clientId: "shop" };
  const given = { name, type: "oauth2_code", hosts: [host], data };
  const { body } = await api.post(`${base}/credentials`, given);
  await authorizeCredential(api, base, body.id as string);
  return body.id as string;
}

/** Authorizes a credential like a person's browser. */
export async function authorizeCredential(api: Api, base: string, id: string): Promise<void> {
  const begun = await api.post(`${base}/credentials/${id}/authorize`);
  const asked = new URL(begun.body.authorizeUrl as string);
  const back = new URLSearchParams({ code: "a-code", state: asked.searchParams.get("state") ?? "" });
  const [cookie = ""] = (begun.headers.get("set-cookie") ?? "").split(";");
  const answer = await fetch(`${api.url}/v1/oauth/callback?${back.toString()}`, {
    redirect: "manual",
    headers: { cookie },
  });
  if (answer.status !== 302) throw new Error(await answer.text());
}
