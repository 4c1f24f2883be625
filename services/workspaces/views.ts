import type { Collection } from "../../adapters/store/port.ts";
import { callerOf, handle, roleOf } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { includesRole } from "../../core/roles.ts";
import { insertOnce } from "../../service-kit/insert-once.ts";
import { ensureRoom } from "../../service-kit/limit.ts";
import { newId } from "../../service-kit/new-id.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { presentView, type ViewDoc, views as all } from "./model.ts";

/** The most views of one member, and the most shared views, in a workspace. */
const MAX_OWN = 100;
const MAX_SHARED = 100;

const tooLow = (needed: string, role: string) =>
  new AppError("role_too_low", { detail: `This requires the role \`${needed}\`; your role is \`${role}\`.` });

/**
 * The person who calls, or null for an API key. An API key is not its creator: it sees and deletes shared views only.
 */
function personOf(ctx: Parameters<typeof callerOf>[0]): string | null {
  const { kind, userId } = callerOf(ctx);
  return kind === "user" ? userId : null;
}

export const list = handle<"workspaces.views.list", WithStore>("workspaces.views.list", async function (ctx) {
  const { workspaceId, page, limit, cursor } = ctx.params;
  const person = personOf(ctx);
  const views = this.store.tenant(all, workspaceId);
  const newest = { sort: { id: -1 as const }, limit: MAX_OWN + MAX_SHARED };
  const ofPage = page === undefined ? {} : { page };
  const [own, shared] = await Promise.all([
    person === null ? { items: [] } : views.find({ createdBy: person, ...ofPage }, newest),
    views.find({ shared: true, ...ofPage }, newest),
  ]);
  const others = shared.items.filter(({ createdBy }) => createdBy !== person);
  const sorted = [...own.items, ...others].sort((a, b) => (a.id < b.id ? 1 : -1));
  // Ids sort by creation, so the last id of a page says where the next one begins.
  const rest = cursor === undefined ? sorted : sorted.filter(({ id }) => id < cursor);
  const items = rest.slice(0, limit);
  return {
    items: items.map(view => presentView(view, person)),
    next: rest.length > limit ? (items.at(-1)?.id ?? null) : null,
  };
});

export const create = handle<"workspaces.views.create", WithStore>("workspaces.views.create", async function (ctx) {
  const { workspaceId, name, page, query, shared } = ctx.params;
  const { userId } = callerOf(ctx);
  if (shared && !includesRole(roleOf(ctx), "editor")) throw tooLow("editor", roleOf(ctx));
  const views = this.store.tenant(all, workspaceId);
  await ensureRoom(views, { createdBy: userId }, MAX_OWN, "saved views of a member in a workspace");
  if (shared) await ensureRoom(views, { shared: true }, MAX_SHARED, "shared views in a workspace");
  const made: ViewDoc = {
    id: newId(ctx),
    workspaceId,
    name,
    page,
    query,
    shared,
    createdBy: userId,
    createdAt: new Date(),
  };
  const former = await insertOnce(
    () => views.insert(made),
    () => views.get({ id: made.id }),
  );
  return presentView(former ?? made, userId);
});

type Caller = Parameters<typeof callerOf>[0] & Parameters<typeof roleOf>[0];

/**
 * A view that the caller may change: one of their own, or, for an admin, a shared one.
 * @throws {AppError} not_found, role_too_low
 */
async function changeable(views: Collection<ViewDoc>, id: string, ctx: Caller): Promise<ViewDoc> {
  const view = await views.get({ id });
  const isMaker = view?.createdBy === personOf(ctx);
  // Views that are not shared are visible only to their makers.
  if (!view || (!isMaker && !view.shared)) throw notFound("view");
  if (!isMaker && !includesRole(roleOf(ctx), "admin")) throw tooLow("admin", roleOf(ctx));
  return view;
}

export const update = handle<"workspaces.views.update", WithStore>("workspaces.views.update", async function (ctx) {
  const { workspaceId, id, name, query, shared } = ctx.params;
  const views = this.store.tenant(all, workspaceId);
  const view = await changeable(views, id, ctx);
  if (shared && !view.shared) {
    if (!includesRole(roleOf(ctx), "editor")) throw tooLow("editor", roleOf(ctx));
    await ensureRoom(views, { shared: true }, MAX_SHARED, "shared views in a workspace");
  }
  const $set = { name: name ?? view.name, query: query ?? view.query, shared: shared ?? view.shared };
  const changed = await views.updateOne({ id }, { $set });
  if (!changed) throw notFound("view");
  return presentView(changed, personOf(ctx));
});

export const remove = handle<"workspaces.views.remove", WithStore>("workspaces.views.remove", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const views = this.store.tenant(all, workspaceId);
  await changeable(views, id, ctx);
  await views.remove({ id });
  return null;
});
