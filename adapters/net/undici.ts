import { createRequire } from "node:module";
import type * as Undici from "undici";

/** Loads the HTTP client with its first use, because a service that calls nothing would spend a tenth of its start on it. */
export const undici = (): typeof Undici => createRequire(import.meta.url)("undici") as typeof Undici;
