import type { ActionSchema, Context, Middleware } from "moleculer";
import { contractOf } from "../contracts/actions.ts";
import { AppError } from "../contracts/errors.ts";
import { issueFaults } from "../contracts/issue-faults.ts";

/** Validates the parameters of every action against its contract, and fills in the defaults. */
export const validate: Middleware = {
  name: "validate",
  localAction(next: (ctx: Context) => unknown, action: ActionSchema) {
    const contract = contractOf(action.name ?? "");
    if (!contract) return next;
    return function checked(ctx: Context) {
      const parsed = contract.input.safeParse(ctx.params);
      if (!parsed.success) {
        return Promise.reject(new AppError("validation_failed", { errors: issueFaults(parsed.error.issues) }));
      }
      ctx.params = parsed.data;
      return next(ctx);
    };
  },
};
