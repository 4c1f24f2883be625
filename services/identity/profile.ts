import { callerOf, handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { present, users as all } from "./model.ts";

export const me = handle<"identity.me", WithStore>("identity.me", async function (ctx) {
  const user = await this.store.global(all).get({ id: callerOf(ctx).userId });
  if (!user) throw notFound("user");
  return present(user);
});

export const updateMe = handle<"identity.updateMe", WithStore>("identity.updateMe", async function (ctx) {
  const { name } = ctx.params;
  const { userId: id } = callerOf(ctx);
  const users = this.store.global(all);
  const user =
    name === undefined
      ? await users.get({ id })
      : await users.updateOne({ id }, { $set: { name, updatedAt: new Date() } });
  if (!user) throw notFound("user");
  return present(user);
});

export const users = handle<"identity.users", WithStore>("identity.users", async function (ctx) {
  const { ids } = ctx.params;
  if (ids.length === 0) return [];
  const { items } = await this.store.global(all).find({ id: { $in: ids } }, { limit: ids.length });
  return items.map(present);
});

export const userByEmail = handle<"identity.userByEmail", WithStore>("identity.userByEmail", async function (ctx) {
  const user = await this.store.global(all).get({ email: ctx.params.email });
  return user && present(user);
});
