import { handle } from "../../contracts/call.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";

/** Readiness probes call this action. Any service with a store could provide it. */
export const proveStore = handle<"identity.proveStore", WithStore>("identity.proveStore", async function () {
  await this.store.ping();
  return null;
});
