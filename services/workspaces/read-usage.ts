import { type ActionContext, call, handle } from "../../contracts/call.ts";
import { QUOTA_NAMES, QUOTAS, type QuotaName, UNLIMITED } from "../../contracts/entities/quota.ts";
import { dayOf } from "../../core/stats/days.ts";
import { monthOf, renewal } from "../../core/usage-period.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { members } from "./model.ts";
import { quotasOf } from "./quotas.ts";
import { limitsUsed } from "./usage.ts";
import { usageId, usages } from "./usage-model.ts";

const DAYS = 31;
const DAY_MS = 86_400_000;
const CALL_TIMEOUT_MS = 5_000;

/** A part of the table that fails is null. */
const orNull = <T>(part: Promise<T>): Promise<T | null> => part.catch(() => null);

/** The number of existing objects in a workspace, from the services that respond. */
async function existing({ store }: WithStore, ctx: ActionContext<"workspaces.usage">, workspaceId: string) {
  const options = { timeout: CALL_TIMEOUT_MS };
  const [memberCount, files, memories, unfinished] = await Promise.all([
    store.tenant(members, workspaceId).count({}),
    orNull(call(ctx, "files.usage", { workspaceId }, options)),
    orNull(call(ctx, "memory.count", { workspaceId }, options)),
    orNull(call(ctx, "executions.countUnfinished", { workspaceId }, options)),
  ]);
  return {
    members: memberCount,
    files: files?.files ?? null,
    file_bytes: files?.file_bytes ?? null,
    memories: memories?.memories ?? null,
    executions_at_once: unfinished?.executions ?? null,
  };
}

export const readUsage = handle<"workspaces.usage", WithStore>("workspaces.usage", async function (ctx) {
  const { workspaceId } = ctx.params;
  const now = new Date();
  const all = this.store.tenant(usages, workspaceId);
  const first = dayOf(new Date(now.getTime() - (DAYS - 1) * DAY_MS));
  // Months sort before their days, so a range of days also includes months.
  const [quotas, here, limits, days, month] = await Promise.all([
    quotasOf(this.store, workspaceId),
    existing(this, ctx, workspaceId),
    limitsUsed(ctx),
    all.find({ period: { $gte: first } }, { sort: { period: 1 }, limit: 2 * DAYS }),
    all.get({ id: usageId(workspaceId, monthOf(now)) }),
  ]);
  const today = days.items.find(({ period }) => period === dayOf(now));
  const used: Record<QuotaName, number | null> = {
    ...here,
    executions_per_day: today?.executions ?? 0,
    executions_per_month: month?.executions ?? 0,
    steps_per_month: month?.steps ?? 0,
    model_tokens_per_month: month?.modelTokens ?? 0,
  };
  return {
    limits,
    quotas: QUOTA_NAMES.map(name => {
      const { period } = QUOTAS[name];
      const allowed = quotas[name] < UNLIMITED ? quotas[name] : null;
      return { name, used: used[name], allowed, renewsAt: period && renewal(period, now).toISOString() };
    }),
    days: days.items
      .filter(({ period }) => period.length > 7)
      .map(({ period, executions, steps, modelTokens, ownModelTokens = 0 }) => ({
        ...{ day: period, executions, steps, modelTokens },
        ownModelTokens,
      })),
  };
});
