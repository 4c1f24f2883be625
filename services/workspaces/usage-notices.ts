import { MAX_TITLE } from "../../contracts/entities/notification.ts";
import { QUOTAS, type QuotaName } from "../../contracts/entities/quota.ts";
import { clip } from "../../core/clip.ts";
import { renewal } from "../../core/usage-period.ts";
import { outboxOf } from "../../service-kit/outbox.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { workspaces } from "./model.ts";
import { type UsageDoc, usages } from "./usage-model.ts";

const WORDS: Partial<Record<QuotaName, string>> = {
  executions_per_day: "the runs of a day",
  executions_per_month: "the runs of a month",
  steps_per_month: "the steps of a month",
  model_tokens_per_month: "the model tokens of a month",
};

/** Tells owners that most or all of a quota is used. A mark of a period is told once. */
export const usageNotices = outboxOf<UsageDoc>({
  collection: usages,
  async notices({ id, workspaceId, period, reached }) {
    const workspace = await this.store.global(workspaces).get({ id: workspaceId, ...ALIVE });
    if (!workspace) return [];
    const at = renewal(period.length > 7 ? "day" : "month", new Date(`${period.padEnd(10, "-01")}T00:00:00.000Z`));
    return reached.map(mark => {
      const [name, percent] = mark.split(":") as [QuotaName, string];
      const all = percent === "100";
      return {
        key: `quota:${id}:${mark}`,
        type: "quota_reached" as const,
        workspaceId,
        title: clip(`${percent} % of ${WORDS[name] ?? QUOTAS[name].what} are used in ${workspace.name}`, MAX_TITLE),
        body: all
          ? `New runs are refused until ${at.toISOString()}. Runs that have started go on.`
          : `When all is used, new runs are refused until ${at.toISOString()}.`,
        link: `/w/${workspaceId}/settings/usage`,
        to: { role: "owner" as const },
      };
    });
  },
});
