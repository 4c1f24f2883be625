import type { Exchange } from "../http/exchange.ts";
import { TokenBuckets, type Verdict } from "./token-buckets.ts";

/** The account whose password a request tries: the one it names, or the caller's own when it sends the current password. */
export const guessedAccount = ({ identity }: Exchange, { email, password }: Record<string, unknown>): unknown =>
  identity === undefined ? email : password === undefined ? undefined : identity.userId;

/** How many accounts' worth of guesses strangers have together, on all accounts of the installation. */
const OVERALL = 50;

/**
 * Limits guesses at passwords beside the limit of each address: per account and overall. Strangers share these limits;
 * an address from which the person has signed in before has one of its own. So a stranger who uses the limits up locks
 * out no person at a usual place.
 */
export class Guesses {
  readonly #byAccount: TokenBuckets;
  readonly #overall: TokenBuckets;
  readonly #byPlace: TokenBuckets;

  constructor(perMinute: number) {
    this.#byAccount = new TokenBuckets(perMinute, perMinute / 60);
    this.#overall = new TokenBuckets(perMinute * OVERALL, (perMinute * OVERALL) / 60);
    this.#byPlace = new TokenBuckets(perMinute, perMinute / 60);
  }

  /** `isKnown` is asked only when the strangers' limits are used up. */
  async take(account: string, address: string, now: number, isKnown: () => Promise<boolean>): Promise<Verdict> {
    const ofAccount = this.#byAccount.take(account, now);
    const overall = ofAccount.allowed ? this.#overall.take("", now) : undefined;
    if (overall?.allowed) return ofAccount;
    return (await isKnown()) ? this.#byPlace.take(`${account} ${address}`, now) : (overall ?? ofAccount);
  }
}
