import { handle } from "../../contracts/call.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { workflows } from "./model.ts";

/** Each document contains a definition, so only some are in memory at the same time. */
const AT_A_TIME = 10;

export const count = handle<"workflows.count", WithStore>("workflows.count", async function (ctx) {
  const { active = 0, trashed = 0 } = await this.store
    .tenant(workflows, ctx.params.workspaceId)
    .tally({ ...ALIVE }, "status");
  return { active, trashed };
});

export const names = handle<"workflows.names", WithStore>("workflows.names", async function (ctx) {
  const { workspaceId, ids } = ctx.params;
  const all = this.store.tenant(workflows, workspaceId);
  const found: { id: string; name: string }[] = [];
  for (let i = 0; i < ids.length; i += AT_A_TIME) {
    const docs = await Promise.all(ids.slice(i, i + AT_A_TIME).map(id => all.shared({ id })));
    for (const doc of docs) if (doc) found.push({ id: doc.id, name: doc.name });
  }
  return found;
});
