import type { FetchLike } from "@modelcontextprotocol/client";
import { startTimeLimit } from "../net/time-limit.ts";
import { describeFailure } from "./describe-failure.ts";
import { RENEWAL_MS } from "./limits.ts";
import { requestTokens } from "./oauth/request-tokens.ts";
import { boundedFetch, findTokenEndpoint } from "./oauth/token-endpoint.ts";
import { type Renew, TokenKeeper } from "./oauth/token-keeper.ts";
import { type McpAuth, type McpTarget, secretsOf } from "./port.ts";
import type { Sdk } from "./sdk.ts";

/** The credential that authenticates us to a server. */
export interface Credentials {
  /**
   * The headers to send.
   * @throws {McpError} when no credential can be obtained.
   */
  headers(): Promise<Record<string, string>>;
  /**
   * Handles a 401 to these headers. Returns whether other headers can be sent.
   * @throws {McpError} when the renewal fails.
   */
  renew(refused: Record<string, string>, response: Response): Promise<boolean>;
  /** Texts that must not appear in any output. */
  secrets(): string[];
  /** Takes over the target as its owner has it now. */
  adopt(target: McpTarget): void;
}

const fixed = (auth: McpAuth, headers: Record<string, string>): Credentials => ({
  headers: () => Promise.resolve(headers),
  renew: () => Promise.resolve(false),
  secrets: () => secretsOf(auth),
  adopt: () => undefined,
});

function oauth(sdk: Sdk, target: McpTarget, auth: McpAuth & { type: "oauth" }, fetch: FetchLike, now: () => number) {
  const renew: Renew = async (held, challenge) => {
    const limit = startTimeLimit(RENEWAL_MS, undefined);
    const bounded = boundedFetch(fetch, limit.signal);
    try {
      return await limit.race(
        findTokenEndpoint(sdk, bounded, target.url, held, challenge).then(endpoint =>
          requestTokens(sdk, bounded, held, endpoint, now()),
        ),
      );
    } catch (error) {
      throw describeFailure(error, {
        host: new URL(held.tokenUrl ?? target.url).host,
        phase: "list",
        secrets: secrets(),
      });
    } finally {
      limit.end();
    }
  };
  const keeper = new TokenKeeper(auth, renew, now);
  const secrets = () => keeper.secrets();
  const credentials: Credentials = {
    headers: async () => ({ authorization: `Bearer ${await keeper.token()}` }),
    renew: (refused, response) =>
      keeper.replace(refused.authorization?.slice("Bearer ".length) ?? "", sdk.extractWWWAuthenticateParams(response)),
    secrets,
    adopt: owner => (owner.auth.type === "oauth" ? keeper.adopt(owner.auth, owner) : undefined),
  };
  credentials.adopt(target);
  return credentials;
}

/** Creates the credential of a server, ready to be sent. `fetch` is for the token endpoint and the way to it. */
export function createCredentials(sdk: Sdk, target: McpTarget, fetch: FetchLike, now: () => number): Credentials {
  const { auth } = target;
  switch (auth.type) {
    case "none":
      return fixed(auth, {});
    case "api_key":
      return fixed(auth, { "x-api-key": auth.key });
    case "bearer":
      return fixed(auth, { authorization: `Bearer ${auth.token}` });
    case "oauth":
      return oauth(sdk, target, auth, fetch, now);
  }
}
