import { handle } from "../../contracts/call.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { accountEvents, users } from "./model.ts";

/** The id of no user, so that the work is the same without an account. */
const NO_USER = "00000000-0000-0000-0000-000000000000";

/** The person has signed in from there before, so attempts from there are not those of a stranger. */
export const knowsAddress = handle<"identity.knowsAddress", WithStore>("identity.knowsAddress", async function (ctx) {
  const { email, address } = ctx.params;
  const user = await this.store.global(users).get({ email });
  const signedIn = { userId: user?.id ?? NO_USER, type: "signed_in" as const, address };
  return (await this.store.global(accountEvents).get(signedIn)) !== null;
});
