import { handle } from "../../contracts/call.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { type UserDoc, users } from "./model.ts";
import { isOperatorAddress } from "./operator-address.ts";

export const isOperator = ({ email, disabledAt }: Pick<UserDoc, "email" | "disabledAt">): boolean =>
  !disabledAt && isOperatorAddress(email);

/** Every request of an operator asks it. */
export const isOperatorAction = handle<"identity.isOperator", WithStore>("identity.isOperator", async function (ctx) {
  const user = await this.store.global(users).shared({ id: ctx.params.userId });
  return user !== null && isOperator(user);
});
