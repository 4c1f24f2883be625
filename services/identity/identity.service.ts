import type { Service, ServiceSchema } from "moleculer";
import { config } from "../../config.ts";
import { removeAll } from "../../mixins/remove-all.ts";
import { storeMixin, type WithStore } from "../../mixins/store.mixin.ts";
import { sweepMixin } from "../../mixins/sweep.mixin.ts";
import { tokenReader } from "./access-token.ts";
import { login, register } from "./credentials.ts";
import { sessions, users as userCollection } from "./model.ts";
import { nobodysHash } from "./password.ts";
import { me, updateMe, users } from "./profile.ts";
import { logout, refresh, verify, type WithTokenReader } from "./session.ts";

const sweepExpired = sweepMixin<WithStore>(function (now) {
  return removeAll(this.store.global(sessions), { expiresAt: { $lte: now } });
});

const identity: ServiceSchema = {
  name: "identity",
  mixins: [sweepExpired, storeMixin([userCollection, sessions])],
  actions: { register, login, refresh, logout, verify, me, updateMe, users },
  async started(this: Service & Partial<WithTokenReader>) {
    this.readToken = tokenReader(config().JWT_SECRET);
    // Made before the first sign-in of nobody, which would otherwise take longer than the others.
    await nobodysHash();
  },
};

export default identity;
