import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import { number, optional, string, strings } from "../../adapters/store/field-types.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX } from "../../service-kit/outbox.ts";

/** The usage of a workspace in a day or a month. The id consists of both. */
export const usages = defineCollection({
  name: "usages",
  tenant: true,
  fields: {
    /** `2026-11-22` or `2026-11`. */
    period: string(),
    executions: number(),
    steps: number(),
    modelTokens: number(),
    /** From the workspace's own providers. */
    ownModelTokens: optional(number()),
    /** The marks that were reached, such as `executions_per_day:80`. Owners are notified of these. */
    reached: strings(),
    ...OUTBOX_FIELDS,
  },
  indexes: [OUTBOX_INDEX, [{ workspaceId: 1, period: 1 }], [{ period: 1 }]],
});
export type UsageDoc = DocumentOf<typeof usages>;

export const usageId = (workspaceId: string, period: string): string => `${workspaceId}:${period}`;
