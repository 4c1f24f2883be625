import type { Service } from "moleculer";
import { call } from "../../contracts/call.ts";
import { ID_PATTERN } from "../../contracts/primitives.ts";
import type { AccountEventType } from "../../contracts/entities/account-event.ts";

const TIMEOUT_MS = 5_000;
/**
 * The most events whose entries are being written at the same time. Further events are skipped, because anonymous
 * clients can cause some.
 */
const MAX_WRITING = 100;

const FAILURES: Partial<Record<AccountEventType, string>> = {
  sign_in_failed: "invalid_credentials",
  factor_failed: "invalid_code",
};

let writing = 0;

async function record(self: Service, userId: string, type: AccountEventType, origin: Origin): Promise<void> {
  const { broker } = self;
  const options = { timeout: TIMEOUT_MS };
  const error = FAILURES[type] ?? null;
  const { ids } = await call(broker, "workspaces.idsOf", { userId }, options);
  for (const workspaceId of ids) {
    const entry = {
      workspaceId,
      actor: { kind: "user" as const, id: userId, userId },
      action: `account.${type}`,
      resourceType: "account",
      resourceId: userId,
      spaceId: null,
      fields: [],
      requestId: origin.requestId,
      address: origin.address,
      outcome: error === null ? ("succeeded" as const) : ("failed" as const),
      error,
    };
    await call(broker, "audit.record", entry, options);
  }
}

interface Origin {
  requestId: string;
  address: string;
}

/**
 * Records an event of an account in the audit logs of its workspaces, after the response. If an entry fails, the event
 * itself stays valid.
 */
export function recordInWorkspaces(self: Service, userId: string, type: AccountEventType, origin: Origin): void {
  // A refused sign-in through a provider may have no account yet.
  if (writing >= MAX_WRITING || !ID_PATTERN.test(userId)) return;
  writing++;
  const failed = (error: unknown) => self.logger.warn("An audit entry of an account was not written.", { type }, error);
  setImmediate(() => {
    void record(self, userId, type, origin)
      .catch(failed)
      .finally(() => writing--);
  });
}
