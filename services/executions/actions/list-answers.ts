import { ID_PATTERN } from "../../../contracts/primitives.ts";
import { handle } from "../../../contracts/call.ts";
import { namesOf } from "../../../service-kit/names.ts";
import type { WithStore } from "../../../service-kit/store.mixin.ts";
import { Answers } from "../store/model.ts";
import { presentAnswer } from "../store/present.ts";
import { timeRange, within } from "../store/time-range.ts";

export const answers = handle<"executions.answers", WithStore>("executions.answers", async function (ctx) {
  const { workspaceId, from, to, limit, cursor: after = null, ...equal } = ctx.params;
  const answeredAt = within(timeRange({ from, to }));
  const filter = { ...equal, ...(Object.keys(answeredAt).length > 0 && { answeredAt }) };
  const { items, next } = await this.store
    .tenant(Answers, workspaceId)
    .find(filter, { sort: { answeredAt: -1 }, limit, after });
  const ids = {
    workflows: items.map(doc => doc.workflowId),
    users: items.map(doc => doc.answeredBy).filter(by => ID_PATTERN.test(by)),
  };
  const names = await namesOf(ctx, workspaceId, ids);
  return { items: items.map(doc => presentAnswer(doc, names)), next };
});
