import { handle } from "../../contracts/call.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { UNKNOWN_USER } from "./account-events.ts";
import { accountEvents, users } from "./model.ts";

/**
 * Whether the person has signed in from this address before. Rate limits then count attempts from it separately. The
 * check takes the same time for an unknown account.
 */
export const knowsAddress = handle<"identity.knowsAddress", WithStore>("identity.knowsAddress", async function (ctx) {
  const { email, address } = ctx.params;
  const user = await this.store.global(users).get({ email });
  const signedIn = { userId: user?.id ?? UNKNOWN_USER, type: "signed_in" as const, address };
  return (await this.store.global(accountEvents).get(signedIn)) !== null;
});
