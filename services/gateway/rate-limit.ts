import { AppError } from "../../contracts/errors.ts";
import { clientAddress } from "./client-address.ts";
import type { Exchange } from "./exchange.ts";
import type { GatewayConfig } from "./settings.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** Says what is left, and refuses the request when nothing is. Without `tokens` it takes nothing. */
function charge(x: Exchange, buckets: TokenBuckets, key: string, tokens: 0 | 1 = 1): void {
  const { allowed, limit, remaining, resetSeconds, retryAfterSeconds } = buckets.take(key, performance.now(), tokens);
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

/** Who may ask how often: users and API keys by their id, strangers and bad tokens by their address, and guesses at passwords more strictly. */
export class RateLimits {
  readonly #callers: TokenBuckets;
  readonly #strangers: TokenBuckets;
  readonly #badTokens: TokenBuckets;
  readonly #guessesByAddress: TokenBuckets;
  readonly #guessesByAccount: TokenBuckets;
  readonly #trustProxy: boolean;

  constructor(config: GatewayConfig) {
    const { RATE_LIMIT_RPS: rps, RATE_LIMIT_BURST: burst, RATE_LIMIT_AUTH_PER_MINUTE: guesses } = config;
    this.#callers = new TokenBuckets(burst, rps);
    this.#strangers = new TokenBuckets(burst, rps);
    this.#badTokens = new TokenBuckets(burst, rps);
    this.#guessesByAddress = new TokenBuckets(guesses, guesses / 60);
    this.#guessesByAccount = new TokenBuckets(guesses, guesses / 60);
    this.#trustProxy = config.TRUST_PROXY;
  }

  /** Asked before a token is looked at, so that an address which sends bad ones costs no more verifications. */
  mayAuthenticate(x: Exchange): void {
    charge(x, this.#badTokens, clientAddress(x.req, this.#trustProxy), 0);
  }

  unauthenticated(x: Exchange): void {
    charge(x, this.#badTokens, clientAddress(x.req, this.#trustProxy));
  }

  caller(x: Exchange, principal: string): void {
    charge(x, this.#callers, principal);
  }

  stranger(x: Exchange, guessing: boolean): void {
    charge(x, guessing ? this.#guessesByAddress : this.#strangers, clientAddress(x.req, this.#trustProxy));
  }

  /** So that many addresses cannot guess at one account. */
  account(x: Exchange, email: unknown): void {
    if (typeof email === "string") charge(x, this.#guessesByAccount, email.trim().toLowerCase().slice(0, 254));
  }
}
