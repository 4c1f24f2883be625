import { config } from "../../config.ts";
import { handle } from "../../contracts/call.ts";
import { QUOTA_NAMES, quotaChanges, type QuotaName, type Quotas } from "../../contracts/entities/quota.ts";
import type { Store } from "../../adapters/store/port.ts";
import { notFound } from "../../contracts/errors.ts";
import { issueFaults } from "../../contracts/issue-faults.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import { forgetQuotas } from "../../service-kit/quotas.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type WorkspaceDoc, workspaces } from "./model.ts";

/** The quotas of a workspace: those that operators set for it, and otherwise the limits of the installation. */
export function quotasFrom(set: WorkspaceDoc["quotas"]): Quotas {
  const { LIMITS } = config();
  return Object.fromEntries(QUOTA_NAMES.map(name => [name, set?.[name] ?? LIMITS[name]])) as Quotas;
}

export async function quotasOf(store: Store, workspaceId: string): Promise<Quotas> {
  return quotasFrom((await store.global(workspaces).shared({ id: workspaceId }))?.quotas);
}

export const quotas = handle<"workspaces.quotas", WithStore>("workspaces.quotas", async function (ctx) {
  return quotasOf(this.store, ctx.params.workspaceId);
});

/** The changes of quotas that do not come through the API, or their faults. */
export function parseQuotas(changes: unknown) {
  const { success, data, error } = quotaChanges.safeParse(changes);
  return success ? { data } : { faults: issueFaults(error.issues) };
}

/** Changes the quotas of a workspace. Two concurrent changes of different quotas both take effect. */
export async function setQuotas(
  store: Store,
  workspaceId: string,
  changes: Partial<Record<QuotaName, number | null>>,
): Promise<WorkspaceDoc> {
  const all = store.global(workspaces);
  for (let tries = 0; tries < 10; tries++) {
    const current = await all.get({ id: workspaceId, ...ALIVE });
    if (!current) throw notFound("workspace");
    const next: Partial<Record<QuotaName, number>> = { ...current.quotas };
    for (const name of QUOTA_NAMES) {
      const value = changes[name];
      if (value === null) delete next[name];
      else if (value !== undefined) next[name] = value;
    }
    const version = current.quotasVersion ?? 0;
    const filter = { id: workspaceId, quotasVersion: version === 0 ? null : version };
    const changed = await all.updateOne(filter, { $set: { quotas: next, quotasVersion: version + 1 } });
    if (changed) return changed;
  }
  throw notFound("workspace");
}

export const changeQuotas = handle<"workspaces.operator.setQuotas", WithStore & WithOutbox>(
  "workspaces.operator.setQuotas",
  async function (ctx) {
    const { workspaceId } = ctx.params;
    const changed = await setQuotas(this.store, workspaceId, ctx.params.quotas);
    forgetQuotas(workspaceId);
    return quotasFrom(changed.quotas);
  },
);

export const readQuotas = handle<"workspaces.operator.getQuotas", WithStore>(
  "workspaces.operator.getQuotas",
  async function (ctx) {
    const workspace = await this.store.global(workspaces).get({ id: ctx.params.workspaceId, ...ALIVE });
    if (!workspace) throw notFound("workspace");
    return quotasFrom(workspace.quotas);
  },
);
