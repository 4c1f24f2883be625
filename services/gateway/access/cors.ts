import { AppError } from "../../../contracts/errors.ts";
import type { Exchange } from "../http/exchange.ts";

const METHODS = "GET, POST, PATCH, DELETE";
/** The request headers that this service reads. */
const REQUEST_HEADERS =
  "Authorization, Content-Disposition, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Prefer, X-Request-Id";
const EXPOSED =
  "ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Search-Degraded, X-Request-Id, X-Total-Count, X-Total-Count-Min";
const PREFLIGHT_SECONDS = "600";

/**
 * Lets pages of the configured origins read responses (Fetch standard, section 3.3). The API uses no cookies, so
 * credentials are not allowed.
 */
export class Cors {
  readonly #origins: ReadonlySet<string>;
  readonly #any: boolean;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins.map(origin => origin.toLowerCase()));
    this.#any = this.#origins.has("*");
  }

  /**
   * Adds the CORS headers for the request's origin, and responds to a preflight. Returns true if the request was a
   * preflight.
   * @throws {AppError} origin_not_allowed when a preflight comes from another origin. A plain request from another
   * origin is served without the headers: the browser hides the response from the page, and pages of this host send an
   * origin too.
   */
  apply(x: Exchange): boolean {
    const { origin } = x.req.headers;
    if (origin === undefined) return false;
    const preflight = x.req.method === "OPTIONS" && x.req.headers["access-control-request-method"] !== undefined;
    if (!this.#any) x.headers.push("Vary", "Origin");
    if (!this.#any && !this.#origins.has(origin.toLowerCase())) {
      if (preflight) throw new AppError("origin_not_allowed");
      return false;
    }
    x.headers.push("Access-Control-Allow-Origin", this.#any ? "*" : origin, "Access-Control-Expose-Headers", EXPOSED);
    if (!preflight) return false;
    x.headers.push("Access-Control-Allow-Methods", METHODS, "Access-Control-Allow-Headers", REQUEST_HEADERS);
    x.headers.push("Access-Control-Max-Age", PREFLIGHT_SECONDS);
    x.send(204);
    return true;
  }
}
