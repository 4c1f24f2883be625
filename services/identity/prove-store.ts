import { handle } from "../../contracts/call.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";

/** Asked by readiness probes; any service with a store could answer. */
export const proveStore = handle<"identity.proveStore", WithStore>("identity.proveStore", async function () {
  await this.store.ping();
  return null;
});
