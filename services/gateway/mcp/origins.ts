import type { IncomingMessage } from "node:http";
import { AppError } from "../../../contracts/errors.ts";
import type { GatewayConfig } from "../http/settings.ts";

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

const isLoopback = (url: URL | null) => url !== null && LOOPBACK.test(url.hostname);

/**
 * Decides which pages may call `/mcp`. The protocol demands this check against DNS rebinding (transports, security
 * warning). It allows pages of CORS_ORIGINS, of PUBLIC_URL, and of this machine if the request was made to this
 * machine. Programs send no Origin.
 */
export class Origins {
  readonly #allowed: ReadonlySet<string>;

  constructor({ CORS_ORIGINS, PUBLIC_URL }: Pick<GatewayConfig, "CORS_ORIGINS" | "PUBLIC_URL">) {
    const own = PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).origin];
    this.#allowed = new Set([...CORS_ORIGINS.map(origin => origin.toLowerCase()), ...own]);
  }

  /** @throws {AppError} origin_not_allowed when the page's origin is not allowed */
  check({ headers: { origin, host } }: IncomingMessage): void {
    if (origin === undefined || this.#allowed.has("*") || this.#allowed.has(origin.toLowerCase())) return;
    if (isLoopback(URL.parse(origin)) && isLoopback(URL.parse(`http://${host ?? ""}`))) return;
    throw new AppError("origin_not_allowed");
  }
}
