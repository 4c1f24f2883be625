import type { FetchLike } from "@modelcontextprotocol/client";
import { startTimeLimit } from "../net/time-limit.ts";
import { describeFailure } from "./describe-failure.ts";
import { RENEWAL_MS } from "./limits.ts";
import { secretsOf } from "./mask-secrets.ts";
import { requestTokens } from "./oauth/request-tokens.ts";
import { boundedFetch, findTokenEndpoint } from "./oauth/token-endpoint.ts";
import { type Renew, TokenKeeper } from "./oauth/token-keeper.ts";
import type { McpAuth, McpTarget } from "./port.ts";
import type { Sdk } from "./sdk.ts";

/** What shows a server who calls. */
export interface Credentials {
  /** Rejects with McpError where there is none to be had. */
  headers(): Promise<Record<string, string>>;
  /** After a 401 to these headers: whether others can be sent. Rejects with McpError. */
  renew(refused: Record<string, string>, response: Response): Promise<boolean>;
  /** What must not show in any text. */
  secrets(): string[];
  /** The target as its owner has it now. */
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

/** The credential of a server, as it is to be sent. `fetch` is for the token endpoint and what leads there. */
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
