import { createRequire } from "node:module";
import type * as Undici from "undici";

/**
 * Loads the HTTP client at its first use, because a service that makes no calls would spend a tenth of its start on it.
 */
export const undici = (): typeof Undici => createRequire(import.meta.url)("undici") as typeof Undici;
