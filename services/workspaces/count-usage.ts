import type { Service } from "moleculer";
import type { Collection } from "../../adapters/store/port.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { handle } from "../../contracts/call.ts";
import { QUOTAS, type QuotaName, type Quotas } from "../../contracts/entities/quota.ts";
import { AppError } from "../../contracts/errors.ts";
import { dayOf } from "../../core/stats/days.ts";
import { monthOf, noticePercentOf, renewal } from "../../core/usage-period.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import { markForNotice } from "../../service-kit/outbox.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { quotasOf } from "./quotas.ts";
import { type UsageDoc, usageId, usages } from "./usage-model.ts";

/** How long days and months are kept. */
const KEPT_MS = 400 * 24 * 3_600_000;

export type UsageService = Service & WithStore & WithOutbox;

/** The quotas that a document counts for, with the amounts used. */
const counted = (doc: UsageDoc): Partial<Record<QuotaName, number>> =>
  doc.period.length > 7
    ? { executions_per_day: doc.executions }
    : {
        executions_per_month: doc.executions,
        steps_per_month: doc.steps,
        model_tokens_per_month: doc.modelTokens,
      };

/** Notifies the owners of a reached mark, once per period of the document. */
async function tellMark({ store, outbox }: UsageService, doc: UsageDoc, name: QuotaName, mark: number): Promise<void> {
  const reached = `${name}:${mark}`;
  if (doc.reached.includes(reached)) return;
  const change = { $push: { reached }, $set: markForNotice(new Date()) };
  const all = store.tenant(usages, doc.workspaceId);
  if (await all.updateOne({ id: doc.id, reached: { $ne: reached } }, change)) outbox.soon();
}

/** Notifies the owners of the marks that a document has reached. */
async function notifyLevels(self: UsageService, doc: UsageDoc, quotas: Quotas): Promise<void> {
  for (const [name, used] of Object.entries(counted(doc)) as [QuotaName, number][]) {
    const mark = noticePercentOf(used, quotas[name]);
    if (mark !== undefined) await tellMark(self, doc, name, mark);
  }
}

/** Adds to a period, which is created with the first addition. Returns null if `filter` refuses the addition. */
async function increase(
  all: Collection<UsageDoc>,
  workspaceId: string,
  period: string,
  amounts: Partial<Record<"executions" | "steps" | "modelTokens" | "ownModelTokens", number>>,
  filter: Parameters<Collection<UsageDoc>["updateOne"]>[0] = {},
): Promise<UsageDoc | null> {
  const id = usageId(workspaceId, period);
  const add = () => all.updateOne({ ...filter, id }, { $inc: amounts });
  const added = await add();
  if (added) return added;
  // Another process may create the period at the same moment, so the addition is tried again in any case.
  if (await all.get({ id })) return add();
  const fresh = { id, workspaceId, period, executions: 0, steps: 0, modelTokens: 0, reached: [] };
  await all.insert(fresh).catch((error: unknown) => {
    if (!isUniqueConflict(error)) throw error;
  });
  return add();
}

/** The error for a start beyond a quota, with the time when the quota renews. */
function exceeded(name: QuotaName, allowed: number, now: Date): AppError {
  const { period, what } = QUOTAS[name];
  const at = renewal(period === "day" ? "day" : "month", now);
  return new AppError("quota_exceeded", {
    detail: `The quota is ${allowed} ${what}. It renews at ${at.toISOString()}.`,
    retryAfterSeconds: Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1_000)),
  });
}

/**
 * Counts a run before it is created, unless a quota is used up. Each count is one conditional write, so processes
 * cannot exceed a quota together. If a process dies between the writes, a run may be counted that does not exist, but
 * never the reverse.
 * @throws {AppError} quota_exceeded
 */
export const take = handle<"workspaces.usage.take", UsageService>("workspaces.usage.take", async function (ctx) {
  const { workspaceId } = ctx.params;
  const quotas = await quotasOf(this.store, workspaceId);
  const all = this.store.tenant(usages, workspaceId);
  const now = new Date();
  const perDay = { executions: { $lt: quotas.executions_per_day } };
  const day = await increase(all, workspaceId, dayOf(now), { executions: 1 }, perDay);
  if (!day) throw exceeded("executions_per_day", quotas.executions_per_day, now);
  const perMonth = {
    executions: { $lt: quotas.executions_per_month },
    steps: { $lt: quotas.steps_per_month },
    modelTokens: { $lt: quotas.model_tokens_per_month },
  };
  const month = await increase(all, workspaceId, monthOf(now), { executions: 1 }, perMonth);
  if (!month) {
    await all.updateOne({ id: day.id }, { $inc: { executions: -1 } });
    const used = await all.get({ id: usageId(workspaceId, monthOf(now)) });
    const names = used ? (Object.entries(counted(used)) as [QuotaName, number][]) : [];
    const [name] = names.find(([one, count]) => count >= quotas[one]) ?? ["executions_per_month" as const];
    throw exceeded(name, quotas[name], now);
  }
  await notifyLevels(this, day, quotas);
  await notifyLevels(this, month, quotas);
  return { day: day.period };
});

/** Undoes a count, because no run was created. */
export const giveBack = handle<"workspaces.usage.giveBack", WithStore>(
  "workspaces.usage.giveBack",
  async function (ctx) {
    const { workspaceId, day } = ctx.params;
    const all = this.store.tenant(usages, workspaceId);
    for (const period of [day, day.slice(0, 7)]) {
      await all.updateOne({ id: usageId(workspaceId, period), executions: { $gt: 0 } }, { $inc: { executions: -1 } });
    }
    return null;
  },
);

/** Adds usage that needs no permission. */
export const add = handle<"workspaces.usage.add", UsageService>("workspaces.usage.add", async function (ctx) {
  const now = new Date();
  for (const { workspaceId, ...amounts } of ctx.params.used) {
    const all = this.store.tenant(usages, workspaceId);
    const quotas = await quotasOf(this.store, workspaceId);
    for (const period of [dayOf(now), monthOf(now)]) {
      const doc = await increase(all, workspaceId, period, amounts);
      if (doc) await notifyLevels(this, doc, quotas);
    }
  }
  return null;
});

/** Owners are notified of quotas for existing objects at most once a month. */
export const reached = handle<"workspaces.usage.reached", UsageService>(
  "workspaces.usage.reached",
  async function (ctx) {
    const { workspaceId, name, percent } = ctx.params;
    const month = await increase(this.store.tenant(usages, workspaceId), workspaceId, monthOf(new Date()), {
      executions: 0,
    });
    if (month) await tellMark(this, month, name, percent);
    return null;
  },
);

/** Removes periods that are too old for the usage page. */
export function sweepUsage({ store }: WithStore, now: Date): Promise<void> {
  const oldest = dayOf(new Date(now.getTime() - KEPT_MS));
  return removeAll(store.acrossTenants(usages), { period: { $lt: oldest } });
}
