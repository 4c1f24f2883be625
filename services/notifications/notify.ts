import { handle } from "../../contracts/call.ts";
import type { Deliveries } from "./deliveries.ts";
import { recipientsOf } from "./recipients.ts";

export interface WithDeliveries {
  deliveries: Deliveries;
}

/** A large workspace takes a while. A repeated call continues where an interrupted one stopped. */
const TIMEOUT_MS = 60_000;

export const notify = handle<"notifications.notify", WithDeliveries>(
  "notifications.notify",
  async function (ctx) {
    const { to, ...notice } = ctx.params;
    let notified = 0;
    for await (const userIds of recipientsOf(ctx, notice, to)) {
      await this.deliveries.deliver(userIds, notice);
      notified += userIds.length;
    }
    return { notified };
  },
  { timeout: TIMEOUT_MS },
);
