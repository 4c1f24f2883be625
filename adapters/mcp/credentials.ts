import type { FetchLike } from "@modelcontextprotocol/client";
import type { OpenedCredential } from "../../contracts/credentials/opened.ts";
import { secretValues } from "../../contracts/credentials/types.ts";
import { maskerOf } from "../../core/credentials/mask.ts";
import { isAllowedHost } from "../../core/credentials/allowed-host.ts";
import { derivedSecrets, signCall } from "../credentials/sign-call.ts";
import type { OutboundHop, OutboundRequest } from "../net/port.ts";
import { startTimeLimit } from "../net/time-limit.ts";
import { describeFailure } from "./describe-failure.ts";
import { RENEWAL_MS } from "./limits.ts";
import { requestTokens } from "./oauth/request-tokens.ts";
import { boundedFetch, findTokenEndpoint } from "./oauth/token-endpoint.ts";
import { type Renew, TokenKeeper } from "./oauth/token-keeper.ts";
import { McpError } from "./mcp-error.ts";
import { type McpAuth, type McpNamedCredential, type McpTarget, secretsOf } from "./port.ts";
import type { Sdk } from "./sdk.ts";

/** The credential of one request to a server. */
export interface RequestCredential {
  headers: Record<string, string>;
  /** Signs each hop of the request. */
  sign?: OutboundRequest["sign"];
  /** The id of the access token, if it has one. */
  tokenId?: string | undefined;
}

/** The credential that authenticates Weft to a server. */
export interface Credentials {
  /**
   * The credential of the next request.
   * @throws {McpError} when no credential can be obtained.
   */
  present(): Promise<RequestCredential>;
  /**
   * Handles a 401 to a request with `refused`. Returns whether a different credential can be presented.
   * @throws {McpError} when the renewal fails.
   */
  renew(refused: RequestCredential, response: Response): Promise<boolean>;
  /** Texts that must not appear in any output. */
  secrets(): string[];
  /** Takes over the owner's current target. */
  adopt(target: McpTarget): void;
}

const fixed = (auth: McpAuth, headers: Record<string, string>): Credentials => ({
  present: () => Promise.resolve({ headers }),
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
        mask: maskerOf(secrets()),
      });
    } finally {
      limit.end();
    }
  };
  const keeper = new TokenKeeper(auth, renew, now);
  const secrets = () => keeper.secrets();
  const credentials: Credentials = {
    present: async () => ({ headers: { authorization: `Bearer ${await keeper.token()}` } }),
    renew: ({ headers }, response) =>
      keeper.replace(headers.authorization?.slice("Bearer ".length) ?? "", sdk.extractWWWAuthenticateParams(response)),
    secrets,
    adopt: owner => (owner.auth.type === "oauth" ? keeper.adopt(owner.auth, owner) : undefined),
  };
  credentials.adopt(target);
  return credentials;
}

/** The number of earlier secrets that are still masked, because answers may repeat them. */
const MAX_SECRETS = 32;

function named(auth: McpNamedCredential): Credentials {
  let { open } = auth;
  const seen = new Set<string>();
  const opened = async (refused?: string): Promise<OpenedCredential> => {
    const credential = await open(refused);
    for (const value of [...secretValues(credential.type, credential.data), ...derivedSecrets(credential)]) {
      seen.delete(value);
      seen.add(value);
    }
    for (const oldest of [...seen].slice(0, -MAX_SECRETS)) seen.delete(oldest);
    return credential;
  };
  return {
    async present() {
      const credential = await opened();
      const { name, hosts, token } = credential;
      const sign = (hop: OutboundHop) => {
        if (!isAllowedHost(hosts, hop.url))
          throw new McpError("mcp_refused", `The credential "${name}" may not be sent to ${hop.url.host}`);
        return signCall(credential, hop);
      };
      return { headers: {}, sign, tokenId: token?.id };
    },
    async renew({ tokenId }) {
      if (tokenId === undefined) return false;
      const { token } = await opened(tokenId);
      return token !== undefined && token.id !== tokenId;
    },
    secrets: () => [...seen],
    adopt({ auth: now }) {
      if (now.type === "credential") open = now.open;
    },
  };
}

/** Creates the credential of a server, ready to be sent. `fetch` calls the token endpoint, and finds it. */
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
    case "credential":
      return named(auth);
  }
}
