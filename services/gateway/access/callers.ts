import type { ServiceBroker } from "moleculer";
import { credentialOf, type Identity, principalOf } from "../../../contracts/entities/user.ts";
import { errorCode } from "../../../contracts/errors.ts";
import { authenticate } from "./authenticate.ts";
import { sourceAddress } from "../http/client-address.ts";
import type { Exchange } from "../http/exchange.ts";
import type { OpenConnections } from "./open-connections.ts";
import type { RateLimits } from "./rate-limit.ts";

/** A long request checks its credential again after this time, because the hint of its end can be lost. */
const RECHECK_MS = 1_000;

/**
 * Authenticates the callers of requests, and checks them again while a request runs. Every method throws AppError
 * unauthenticated or a similar code.
 */
export class Callers {
  readonly #broker: ServiceBroker;
  readonly #limits: RateLimits;
  readonly #uses: OpenConnections;
  readonly #trustProxy: boolean;

  constructor(broker: ServiceBroker, limits: RateLimits, uses: OpenConnections, trustProxy: boolean) {
    this.#trustProxy = trustProxy;
    this.#broker = broker;
    this.#limits = limits;
    this.#uses = uses;
  }

  /**
   * Authenticates the caller and counts the request.
   * @throws {AppError} unauthenticated, or rate_limited when the caller's limit is used up
   */
  async authenticate(x: Exchange): Promise<void> {
    this.#limits.mayAuthenticate(x);
    try {
      x.identity = await this.#identify(x);
    } catch (error) {
      if (errorCode(error) === "unauthenticated") this.#limits.unauthenticated(x);
      throw error;
    }
    this.#limits.caller(x, principalOf(x.identity));
  }

  /**
   * Counts further requests of the caller that came in the same HTTP request.
   * @throws {AppError} rate_limited when the caller's limit is used up
   */
  charge(x: Exchange, more: number): void {
    if (!x.identity) return;
    for (let n = 0; n < more; n++) this.#limits.caller(x, principalOf(x.identity));
  }

  /** Checks that the credential is still valid after a slow part of a request, such as its body. */
  async recheck(x: Exchange): Promise<void> {
    if (x.identity && performance.now() - x.identifiedAt >= RECHECK_MS) x.identity = await this.#identify(x);
  }

  /** The result of `work`, unless the caller's session or API key ends first. */
  async during<T>(x: Exchange, work: Promise<T>): Promise<T> {
    if (!x.identity) return work;
    const result = await this.#uses.during(credentialOf(x.identity), work);
    await this.recheck(x);
    return result;
  }

  #identify(x: Exchange): Promise<Identity> {
    x.identifiedAt = performance.now();
    x.callerAddress = sourceAddress(x.req, this.#trustProxy);
    return authenticate(this.#broker, x.req.headers.authorization, x.callerAddress, x.requestId);
  }
}
