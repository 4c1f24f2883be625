import type { Exchange } from "../http/exchange.ts";
import { TokenBuckets, type Verdict } from "./token-buckets.ts";

/** The account whose password a request tries: the one it names, or the caller's own when it sends the current password. */
export const guessedAccount = ({ identity }: Exchange, { email, password }: Record<string, unknown>): unknown =>
  identity === undefined ? email : password === undefined ? undefined : identity.userId;

/**
 * The capacity of the overall limit, as a multiple of the limit of one account. Unknown addresses share it for all
 * accounts of the installation.
 */
const OVERALL = 50;

/**
 * Limits password guesses per account and overall, in addition to the limit of each address. Unknown addresses share
 * these limits. An address from which the person has signed in before has a limit of its own. So an attacker who uses
 * up the shared limits locks out no person at a usual place.
 */
export class GuessLimits {
  readonly #byAccount: TokenBuckets;
  readonly #overall: TokenBuckets;
  readonly #byPlace: TokenBuckets;

  constructor(perMinute: number) {
    this.#byAccount = new TokenBuckets(perMinute, perMinute / 60);
    this.#overall = new TokenBuckets(perMinute * OVERALL, (perMinute * OVERALL) / 60);
    this.#byPlace = new TokenBuckets(perMinute, perMinute / 60);
  }

  /** `isKnown` is called only when the shared limits are used up. */
  async take(account: string, address: string, now: number, isKnown: () => Promise<boolean>): Promise<Verdict> {
    const ofAccount = this.#byAccount.take(account, now);
    const overall = ofAccount.allowed ? this.#overall.take("", now) : undefined;
    if (overall?.allowed) return ofAccount;
    return (await isKnown()) ? this.#byPlace.take(`${account} ${address}`, now) : (overall ?? ofAccount);
  }
}
