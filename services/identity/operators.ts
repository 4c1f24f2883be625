import { config } from "../../config.ts";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { type UserDoc, users } from "./model.ts";
import { isOperatorAddress } from "./operator-address.ts";

export const isOperator = ({ email, disabledAt }: Pick<UserDoc, "email" | "disabledAt">): boolean =>
  !disabledAt && isOperatorAddress(email);

/** Every request to a route for operators calls this action. */
export const isOperatorAction = handle<"identity.isOperator", WithStore>("identity.isOperator", async function (ctx) {
  const user = await this.store.global(users).shared({ id: ctx.params.userId });
  if (user === null || !isOperator(user)) return false;
  if (config().DEMAND_FACTOR && !ctx.params.proved) throw new AppError("factor_required");
  return true;
});
