import { handle } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { slugify, suffixesOf, withSuffix } from "../../core/slug.ts";
import { newId } from "../../service-kit/new-id.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE, PUBLISH, draft } from "../../service-kit/tombstone.ts";
import { type PodDoc, pods, presentPod, spaces } from "./model.ts";

export const create = handle<"pods.create", WithStore>("pods.create", async function (ctx) {
  const { workspaceId, name, description } = ctx.params;
  const now = new Date();
  const id = newId(ctx);
  const times = { createdAt: now, updatedAt: now };
  const all = this.store.tenant(pods, workspaceId);
  const space = { id, workspaceId, podId: id, name, default: true, ...times };
  const drafted = draft(now);
  for (const suffix of suffixesOf(id)) {
    const pod: PodDoc = {
      id,
      workspaceId,
      name,
      slug: withSuffix(slugify(name, "pod"), suffix),
      description,
      ...times,
    };
    try {
      await this.store.write([
        all.ops.insert({ ...pod, ...drafted }),
        this.store.tenant(spaces, workspaceId).ops.insert(space),
        all.ops.updateOne({ id, ...drafted }, PUBLISH, { required: true }),
      ]);
      return presentPod(pod);
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
    }
  }
  throw new AppError("conflict");
});

export const list = handle<"pods.list", WithStore>("pods.list", async function (ctx) {
  const { workspaceId, limit, cursor: after = null } = ctx.params;
  const found = await this.store.tenant(pods, workspaceId).find({ ...ALIVE }, { sort: { id: -1 }, limit, after });
  return { items: found.items.map(presentPod), next: found.next };
});

export const get = handle<"pods.get", WithStore>("pods.get", async function (ctx) {
  const { workspaceId, podId: id } = ctx.params;
  const pod = await this.store.tenant(pods, workspaceId).get({ id, ...ALIVE });
  if (!pod) throw notFound("pod");
  return presentPod(pod);
});

export const update = handle<"pods.update", WithStore>("pods.update", async function (ctx) {
  const { workspaceId, podId: id, name, description } = ctx.params;
  const all = this.store.tenant(pods, workspaceId);
  const given = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
  const pod =
    Object.keys(given).length === 0
      ? await all.get({ id, ...ALIVE })
      : await all.updateOne({ id, ...ALIVE }, { $set: { ...given, updatedAt: new Date() } });
  if (!pod) throw notFound("pod");
  return presentPod(pod);
});
