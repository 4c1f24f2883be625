import { AppError } from "../../contracts/errors.ts";
import type { Exchange } from "./exchange.ts";

const METHODS = "GET, POST, PATCH, DELETE";
/** What some code here reads. */
const REQUEST_HEADERS =
  "Authorization, Content-Disposition, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Prefer, X-Request-Id";
const EXPOSED =
  "ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Search-Degraded, X-Request-Id";
const PREFLIGHT_SECONDS = "600";

/** Lets pages of the configured origins read answers (Fetch standard, section 3.3). No cookies, so no credentials. */
export class Cors {
  readonly #origins: ReadonlySet<string>;
  readonly #any: boolean;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins.map(origin => origin.toLowerCase()));
    this.#any = this.#origins.has("*");
  }

  /**
   * Marks the answer for its origin, and answers a preflight. True when that was all.
   * @throws AppError origin_not_allowed for a preflight from elsewhere. A plain request from there is served, unmarked:
   *   the browser keeps it from the page, and a page of this very host sends its origin too.
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
