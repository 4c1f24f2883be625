import { type ActionContext, call, handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import { beginsWith } from "../../service-kit/begins-with.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type WorkspaceDoc, workspaces } from "./model.ts";
import { makeOwner, presentOperated } from "./operated.ts";
import { removeWorkspaceNow } from "./remove-workspace.ts";

type Asking = Pick<ActionContext<"workspaces.operator.list">, "call">;

const lookUp = (ctx: Asking) => (ids: string[]) => call(ctx, "identity.users", { ids });

async function workspaceOf({ store }: WithStore, id: string): Promise<WorkspaceDoc> {
  const workspace = await store.global(workspaces).get({ id, ...ALIVE });
  if (!workspace) throw notFound("workspace");
  return workspace;
}

async function present({ store }: WithStore, ctx: Asking, workspace: WorkspaceDoc) {
  const [shown] = await presentOperated(store, lookUp(ctx), [workspace]);
  return shown!;
}

export const list = handle<"workspaces.operator.list", WithStore>("workspaces.operator.list", async function (ctx) {
  const { search, limit, cursor: after = null } = ctx.params;
  const all = this.store.global(workspaces);
  const { items, next } =
    search === undefined
      ? await all.find(ALIVE, { sort: { id: -1 }, limit, after })
      : await all.find({ ...ALIVE, slug: beginsWith(search) }, { sort: { slug: 1 }, limit, after });
  return { items: await presentOperated(this.store, lookUp(ctx), items), next };
});

export const get = handle<"workspaces.operator.get", WithStore>("workspaces.operator.get", async function (ctx) {
  return present(this, ctx, await workspaceOf(this, ctx.params.workspaceId));
});

export const remove = handle<"workspaces.operator.remove", WithStore & WithSweep>(
  "workspaces.operator.remove",
  async function (ctx) {
    await removeWorkspaceNow(this, ctx.params.workspaceId);
    return null;
  },
);

export const setOwner = handle<"workspaces.operator.setOwner", WithStore & WithOutbox>(
  "workspaces.operator.setOwner",
  async function (ctx) {
    const { workspaceId, userId } = ctx.params;
    const workspace = await workspaceOf(this, workspaceId);
    const [user] = await call(ctx, "identity.users", { ids: [userId] });
    if (!user) throw notFound("user");
    await makeOwner(this.store, workspaceId, userId);
    this.outbox.soon();
    return present(this, ctx, workspace);
  },
);

export const count = handle<"workspaces.count", WithStore>("workspaces.count", async function () {
  return { workspaces: await this.store.global(workspaces).count(ALIVE) };
});
