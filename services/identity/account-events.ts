import type { Service } from "moleculer";
import { v7 as uuid } from "uuid";
import { config } from "../../config.ts";
import { handle, userOf } from "../../contracts/call.ts";
import { accountEvent, type AccountEventType } from "../../contracts/entities/account-event.ts";
import type { RequestHeaders } from "../../contracts/request.ts";
import { firstIdAt, timeOfId } from "../../core/id-time.ts";
import { presenter } from "../../service-kit/present.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { recordInWorkspaces } from "./workspace-audit.ts";
import { type AccountEventDoc, accountEvents } from "./model.ts";

const DAY_MS = 24 * 3_600_000;
const MAX_USER_AGENT = 300;
/** The most entries of one account. A new entry replaces the oldest. */
const MAX_EVENTS = 1_000;
/**
 * The most failures that are being recorded at the same time. Further ones are dropped, because anonymous clients can
 * cause them.
 */
const MAX_WRITING = 100;

const presentEvent = presenter(accountEvent, accountEvents, doc => ({ at: timeOfId(doc.id).toISOString() }));

/**
 * An id that no user has. Events of unknown addresses are recorded under it, so that they take as long as those of
 * users.
 */
export const UNKNOWN_USER = "00000000-0000-0000-0000-000000000000";

interface Asking {
  params: object;
  headers: unknown;
}

/** The address and the user agent of a request. */
export function originOf({ params, headers }: Asking): Pick<AccountEventDoc, "address" | "userAgent"> {
  const { address } = headers as RequestHeaders;
  const { userAgent } = params as { userAgent?: string };
  return {
    ...(address !== undefined && { address }),
    ...(userAgent !== undefined && { userAgent: userAgent.slice(0, MAX_USER_AGENT) }),
  };
}

async function write(
  { store }: WithStore,
  userId: string,
  type: AccountEventType,
  asking: Asking,
  detail: string | undefined,
): Promise<void> {
  const all = store.global(accountEvents);
  await all.insert({ id: uuid(), userId, type, ...(detail !== undefined && { detail }), ...originOf(asking) });
  const over = (await all.count({ userId }, { limit: MAX_EVENTS + 1 })) - MAX_EVENTS;
  if (over > 0) await all.remove({ userId }, { limit: over });
}

/** Records an event of an account. If the record fails, the event itself stays valid. */
export const recordEvent = (
  self: Service & WithStore,
  userId: string,
  type: AccountEventType,
  asking: Asking,
  detail?: string,
): Promise<void> => {
  const { requestID } = asking as { requestID?: string | null };
  const { address = "" } = originOf(asking);
  recordInWorkspaces(self, userId, type, { requestId: requestID ?? "", address });
  return write(self, userId, type, asking, detail).catch((error: unknown) =>
    self.logger.warn("An entry of an account's log was not written.", { type }, error),
  );
};

let writing = 0;

/**
 * Records a failure after the response. Anonymous clients can cause failures, so a response must not wait for the
 * record.
 */
export function recordEventLater(
  self: Service & WithStore,
  userId: string,
  type: AccountEventType,
  asking: Asking,
  detail?: string,
): void {
  if (writing >= MAX_WRITING) return;
  writing++;
  setImmediate(() => void recordEvent(self, userId, type, asking, detail).finally(() => writing--));
}

export const events = handle<"identity.events", WithStore>("identity.events", async function (ctx) {
  const { limit, cursor: after = null } = ctx.params;
  const { userId } = userOf(ctx);
  const all = this.store.global(accountEvents);
  const { items, next } = await all.find({ userId }, { sort: { id: -1 }, limit, after });
  return { items: items.map(presentEvent), next };
});

/** Removes entries older than the retention of audit logs. */
export function sweepEvents({ store }: WithStore, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - config().AUDIT_RETENTION_DAYS * DAY_MS);
  return removeAll(store.global(accountEvents), { id: { $lt: firstIdAt(oldest) } });
}
