import { handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import { newId } from "../../service-kit/new-id.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE, markDeleted } from "../../service-kit/tombstone.ts";
import { pods, presentSpace, spaces } from "./model.ts";

const DEFAULT_NAME = "Default";

export const createSpace = handle<"pods.spaces.create", WithStore>("pods.spaces.create", async function (ctx) {
  const { workspaceId, name, podId } = ctx.params;
  const podExists = async () =>
    podId === undefined || (await this.store.tenant(pods, workspaceId).get({ id: podId, ...ALIVE })) !== null;
  if (!(await podExists())) throw notFound("pod");
  const now = new Date();
  const all = this.store.tenant(spaces, workspaceId);
  const times = { createdAt: now, updatedAt: now };
  const space = { id: newId(ctx), workspaceId, ...(podId && { podId }), name, default: false, ...times };
  await all.insert(space);
  // The pod may have been deleted meanwhile without deleting this space.
  if (!(await podExists())) {
    await all.updateOne({ id: space.id }, { $set: markDeleted(now) });
    throw notFound("pod");
  }
  return presentSpace(space);
});

export const createDefaultSpace = handle<"pods.spaces.createDefault", WithStore>(
  "pods.spaces.createDefault",
  async function (ctx) {
    const { workspaceId } = ctx.params;
    const now = new Date();
    const space = { id: workspaceId, workspaceId, name: DEFAULT_NAME, default: true, createdAt: now, updatedAt: now };
    try {
      await this.store.tenant(spaces, workspaceId).insert(space);
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
    }
    return null;
  },
);

export const listSpaces = handle<"pods.spaces.list", WithStore>("pods.spaces.list", async function (ctx) {
  const { workspaceId, podId, limit, cursor: after = null } = ctx.params;
  const filter = { ...(podId !== undefined && { podId }), ...ALIVE };
  const found = await this.store.tenant(spaces, workspaceId).find(filter, { sort: { id: -1 }, limit, after });
  return { items: found.items.map(presentSpace), next: found.next };
});

export const getSpace = handle<"pods.spaces.get", WithStore>("pods.spaces.get", async function (ctx) {
  const { workspaceId, spaceId: id } = ctx.params;
  const space = await this.store.tenant(spaces, workspaceId).get({ id, ...ALIVE });
  if (!space) throw notFound("space");
  return presentSpace(space);
});

export const updateSpace = handle<"pods.spaces.update", WithStore>("pods.spaces.update", async function (ctx) {
  const { workspaceId, spaceId: id, name } = ctx.params;
  const all = this.store.tenant(spaces, workspaceId);
  const filter = { id, ...ALIVE };
  const space =
    name === undefined ? await all.get(filter) : await all.updateOne(filter, { $set: { name, updatedAt: new Date() } });
  if (!space) throw notFound("space");
  return presentSpace(space);
});

/** Every action on a space calls this, so it is one read by id. */
export const spaceExists = handle<"pods.spaces.exists", WithStore>("pods.spaces.exists", async function (ctx) {
  const { workspaceId, spaceId: id } = ctx.params;
  return { exists: (await this.store.tenant(spaces, workspaceId).shared({ id, ...ALIVE })) !== null };
});
