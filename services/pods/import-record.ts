import { handle } from "../../contracts/call.ts";
import type { Archived } from "../../contracts/entities/archive.ts";
import { AppError } from "../../contracts/errors.ts";
import { slugify, suffixesOf, withSuffix } from "../../core/slug.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { insertRecordOnce, missingInArchive } from "../../service-kit/archive.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE, draft, PUBLISH } from "../../service-kit/tombstone.ts";
import { pods, spaces } from "./model.ts";

/** Imports a pod with its default space, which every new pod has. */
async function takePod({ store }: WithStore, workspaceId: string, { id, name, description }: Archived<"pod">) {
  const all = store.tenant(pods, workspaceId);
  if (await all.get({ id, ...ALIVE })) return { made: false };
  const now = new Date();
  const drafted = draft(now);
  const times = { createdAt: now, updatedAt: now };
  const space = { id, workspaceId, podId: id, name, default: true, ...times };
  const ownSpaces = store.tenant(spaces, workspaceId);
  // A leftover of an interrupted request is a draft, and may lack its space.
  await all.remove({ id });
  await ownSpaces.remove({ id, podId: id });
  for (const suffix of suffixesOf(id)) {
    const slug = withSuffix(slugify(name, "pod"), suffix);
    try {
      await store.write([
        all.ops.insert({ id, workspaceId, name, slug, description, ...times, ...drafted }),
        ownSpaces.ops.insert(space),
        all.ops.updateOne({ id, ...drafted }, PUBLISH, { required: true }),
      ]);
      return { made: true };
    } catch (error) {
      if (!isUniqueConflict(error)) throw error;
    }
  }
  throw new AppError("conflict", { detail: "The id of the pod or space is already in use." });
}

async function takeSpace({ store }: WithStore, workspaceId: string, { id, name, podId }: Archived<"space">) {
  const all = store.tenant(spaces, workspaceId);
  if (await all.get({ id, ...ALIVE })) return { made: false };
  if (podId !== null && !(await store.tenant(pods, workspaceId).get({ id: podId, ...ALIVE })))
    throw missingInArchive("pod");
  const now = new Date();
  const times = { createdAt: now, updatedAt: now };
  const made = await insertRecordOnce(
    () => all.insert({ id, workspaceId, ...(podId !== null && { podId }), name, default: false, ...times }),
    () => all.get({ id, ...ALIVE }),
  );
  return { made };
}

export const importRecord = handle<"pods.takeOver", WithStore>("pods.takeOver", function (ctx) {
  const { workspaceId, record } = ctx.params;
  return record.kind === "pod" ? takePod(this, workspaceId, record) : takeSpace(this, workspaceId, record);
});
