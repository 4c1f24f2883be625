import { AppError } from "../../../contracts/errors.ts";
import { clientKey, sourceAddress } from "../http/client-address.ts";
import type { Exchange } from "../http/exchange.ts";
import type { GatewayConfig } from "../http/settings.ts";
import { GuessLimits } from "./guess-limits.ts";
import { TokenBuckets, type Verdict } from "./token-buckets.ts";

/** Sets the RateLimit headers, and refuses the request when no token is left. */
function setRateHeaders(x: Exchange, { allowed, limit, remaining, resetSeconds, retryAfterSeconds }: Verdict): void {
  x.limit = [
    "RateLimit-Limit",
    `${limit}`,
    "RateLimit-Remaining",
    `${remaining}`,
    "RateLimit-Reset",
    `${resetSeconds}`,
  ];
  if (!allowed) throw new AppError("rate_limited", { retryAfterSeconds });
}

/** With `tokens` 0 it only checks. */
const charge = (x: Exchange, buckets: TokenBuckets, key: string, tokens: 0 | 1 = 1): void =>
  setRateHeaders(x, buckets.take(key, performance.now(), tokens));

/**
 * Limits requests: of users and API keys by their id, of anonymous clients and invalid tokens by address. Password
 * guesses have stricter limits.
 */
export class RateLimits {
  readonly #callers: TokenBuckets;
  readonly #strangers: TokenBuckets;
  readonly #badTokens: TokenBuckets;
  readonly #guessesByAddress: TokenBuckets;
  readonly #guesses: GuessLimits;
  readonly #trustProxy: boolean;

  constructor(config: GatewayConfig) {
    const { RATE_LIMIT_RPS: rps, RATE_LIMIT_BURST: burst, RATE_LIMIT_AUTH_PER_MINUTE: guesses } = config;
    this.#callers = new TokenBuckets(burst, rps);
    this.#strangers = new TokenBuckets(burst, rps);
    this.#badTokens = new TokenBuckets(burst, rps);
    this.#guessesByAddress = new TokenBuckets(guesses, guesses / 60);
    this.#guesses = new GuessLimits(guesses);
    this.#trustProxy = config.TRUST_PROXY;
  }

  /** Runs before a token is verified, so that an address that sends invalid tokens causes no more verifications. */
  mayAuthenticate(x: Exchange): void {
    charge(x, this.#badTokens, clientKey(x.req, this.#trustProxy), 0);
  }

  unauthenticated(x: Exchange): void {
    charge(x, this.#badTokens, clientKey(x.req, this.#trustProxy));
  }

  caller(x: Exchange, principal: string): void {
    charge(x, this.#callers, principal);
  }

  stranger(x: Exchange, guessing: boolean): void {
    charge(x, guessing ? this.#guessesByAddress : this.#strangers, clientKey(x.req, this.#trustProxy));
  }

  /** Limits guesses at one account from many addresses, and at many accounts. See `GuessLimits` for `isKnown`. */
  async account(
    x: Exchange,
    account: unknown,
    isKnown: (account: string, address: string) => Promise<boolean>,
  ): Promise<void> {
    if (typeof account !== "string") return;
    const key = account.trim().toLowerCase().slice(0, 254);
    const client = clientKey(x.req, this.#trustProxy);
    const known = () => isKnown(key, sourceAddress(x.req, this.#trustProxy));
    setRateHeaders(x, await this.#guesses.take(key, client, performance.now(), known));
  }
}
