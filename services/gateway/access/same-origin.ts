import type { IncomingMessage } from "node:http";
import { AppError } from "../../../contracts/errors.ts";

/** Forms and pages of other origins cannot send this header without a preflight, which CORS refuses. */
const CONSOLE_HEADER = "weft-console";

/**
 * Admits requests of Weft's own web page: its origin is that of the request, or `PUBLIC_URL` behind a proxy that
 * changes the host.
 * @throws {AppError} origin_not_allowed for every other request, whatever CORS allows
 */
export function checkSameOrigin({ headers }: IncomingMessage, publicUrl: string | undefined): void {
  const origin = headers.origin?.toLowerCase();
  const page = origin === undefined ? null : URL.parse(origin);
  const isOwn =
    page !== null &&
    (page.host === headers.host?.toLowerCase() ||
      (publicUrl !== undefined && page.origin === new URL(publicUrl).origin));
  if (!isOwn || headers[CONSOLE_HEADER] !== "1") throw new AppError("origin_not_allowed");
}
