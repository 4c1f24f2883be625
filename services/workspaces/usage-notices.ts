import { MAX_TITLE } from "../../contracts/entities/notification.ts";
import { QUOTAS, type QuotaName } from "../../contracts/entities/quota.ts";
import { clip } from "../../core/clip.ts";
import { renewal } from "../../core/usage-period.ts";
import { outboxOf } from "../../service-kit/outbox.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { workspaces } from "./model.ts";
import { type UsageDoc, usages } from "./usage-model.ts";

const WORDS: Record<QuotaName, string> = {
  executions_per_day: "runs in a day",
  executions_per_month: "runs in a month",
  executions_at_once: "unfinished runs",
  steps_per_month: "steps in a month",
  model_tokens_per_month: "model tokens in a month",
  members: "members",
  files: "files and large outputs",
  file_bytes: "bytes of files and large outputs",
  memories: "memories",
};

/** What happens when everything is used. `period` is the period of the usage document. */
function consequence(name: QuotaName, isAllUsed: boolean, period: string): string {
  if (QUOTAS[name].period === null) {
    const [what, until] =
      name === "executions_at_once"
        ? ["runs", "others end"]
        : [WORDS[name], "some are removed or an operator raises the quota"];
    return isAllUsed
      ? `Weft refuses new ${what} until ${until}.`
      : `When the quota is used up, Weft refuses new ${what}.`;
  }
  const at = renewal(period.length > 7 ? "day" : "month", new Date(`${period.padEnd(10, "-01")}T00:00:00.000Z`));
  return isAllUsed
    ? `Weft refuses new runs until ${at.toISOString()}. Started runs continue.`
    : `When the quota is used up, Weft refuses new runs until ${at.toISOString()}.`;
}

/** Notifies owners that most or all of a quota is used, once per mark and period. */
export const usageNotices = outboxOf<UsageDoc>({
  collection: usages,
  async notices({ id, workspaceId, period, reached }) {
    const workspace = await this.store.global(workspaces).get({ id: workspaceId, ...ALIVE });
    if (!workspace) return [];
    return reached.map(mark => {
      const [name, percent] = mark.split(":") as [QuotaName, string];
      return {
        key: `quota:${id}:${mark}`,
        type: "quota_reached" as const,
        workspaceId,
        title: clip(`${percent} % of the quota for ${WORDS[name]} is used in ${workspace.name}`, MAX_TITLE),
        body: consequence(name, percent === "100", period),
        link: `/w/${workspaceId}/settings/usage`,
        to: { role: "owner" as const },
      };
    });
  },
});
