import type { Service } from "moleculer";
import { call } from "../../contracts/call.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { revokeBeyond } from "./invites.ts";

type Self = Service & WithStore & WithOutbox;

/** Removes what a former member still has in a workspace: invites, API keys and drafts. */
export async function endMembership(self: Self, workspaceId: string, userId: string): Promise<void> {
  const { broker, logger } = self;
  self.outbox.soon();
  await revokeBeyond(self.store, workspaceId, userId, null);
  // The keys are useless without the membership. A sweep removes those that remain.
  await call(broker, "identity.apiKeys.purge", { workspaceId, userId }).catch((error: unknown) =>
    logger.warn("The API keys of a member who left could not be removed from the list.", error),
  );
  // The drafts expire after a month.
  await call(broker, "workflows.drafts.purge", { workspaceId, userId }).catch((error: unknown) =>
    logger.warn("The drafts of a member who left could not be removed.", error),
  );
}
