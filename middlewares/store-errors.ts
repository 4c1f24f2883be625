import type { ActionSchema, Context, Middleware } from "moleculer";
import { AppError, type ErrorCode } from "../contracts/errors.ts";

/** Maps the store's error codes to the API's codes. */
const CODES: Record<string, ErrorCode> = {
  invalid_cursor: "invalid_cursor",
  store_busy: "unavailable",
  store_timeout: "unavailable",
  store_unavailable: "unavailable",
};

/** Translates store errors that an action does not handle to the API's errors. */
export const storeErrors: Middleware = {
  name: "store-errors",
  localAction(next: (ctx: Context) => Promise<unknown>, _action: ActionSchema) {
    return function translated(ctx: Context) {
      return next(ctx).catch((error: unknown) => {
        const code = (error as { code?: unknown } | null)?.code;
        const known = typeof code === "string" && Object.hasOwn(CODES, code) ? CODES[code] : undefined;
        if (!known) throw error;
        if (known === "unavailable") ctx.broker.logger.warn("The store did not answer.", error);
        throw new AppError(known);
      });
    };
  },
};
