import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import { boolean, date, optional, string, withDefault } from "../../adapters/store/field-types.ts";
import { pod, space } from "../../contracts/entities/pod.ts";
import { presenter } from "../../service-kit/present.ts";
import { TOMBSTONE_FIELDS, TOMBSTONE_INDEX } from "../../service-kit/tombstone.ts";

export const pods = defineCollection({
  name: "pods",
  tenant: true,
  fields: {
    name: string(),
    slug: string(),
    description: withDefault(string(), ""),
    createdAt: date(),
    updatedAt: date(),
    ...TOMBSTONE_FIELDS,
  },
  indexes: [[{ workspaceId: 1, slug: 1 }, { unique: true }], [{ workspaceId: 1, _id: -1 }], TOMBSTONE_INDEX],
});
export type PodDoc = DocumentOf<typeof pods>;

export const spaces = defineCollection({
  name: "spaces",
  tenant: true,
  fields: {
    podId: optional(string()),
    name: string(),
    /** A default space has the id of its pod, or of its workspace, and is deleted only together with it. */
    default: boolean(),
    createdAt: date(),
    updatedAt: date(),
    ...TOMBSTONE_FIELDS,
  },
  indexes: [[{ workspaceId: 1, _id: -1 }], [{ workspaceId: 1, podId: 1, _id: -1 }], TOMBSTONE_INDEX],
});
export type SpaceDoc = DocumentOf<typeof spaces>;

export const presentPod = presenter(pod, pods);
export const presentSpace = presenter(space, spaces);
