import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import type { Pod, Space } from "../../contracts/entities/pod.ts";
import { type Mortal, TOMBSTONE_FIELDS, TOMBSTONE_INDEX } from "../../mixins/tombstone.ts";

export interface PodDoc extends Mortal {
  workspaceId: string;
  name: string;
  slug: string;
  description: string;
  createdAt: Date;
  updatedAt: Date;
}

const pod = new Schema({
  name: { type: String, required: true },
  slug: { type: String, required: true },
  description: { type: String, default: "" },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  ...TOMBSTONE_FIELDS,
});
pod.index({ workspaceId: 1, slug: 1 }, { unique: true });
pod.index({ workspaceId: 1, _id: -1 });
pod.index(...TOMBSTONE_INDEX);

export const pods = defineCollection<PodDoc>({ name: "pods", schema: pod, tenant: true });

export interface SpaceDoc extends Mortal {
  workspaceId: string;
  podId?: string;
  name: string;
  /** It carries the id of its pod, or of its workspace, and goes only with it. */
  default: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const space = new Schema({
  podId: String,
  name: { type: String, required: true },
  default: { type: Boolean, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  ...TOMBSTONE_FIELDS,
});
space.index({ workspaceId: 1, _id: -1 });
space.index({ workspaceId: 1, podId: 1, _id: -1 });
space.index(...TOMBSTONE_INDEX);

export const spaces = defineCollection<SpaceDoc>({ name: "spaces", schema: space, tenant: true });

export const presentPod = ({ id, workspaceId, name, slug, description, createdAt, updatedAt }: PodDoc): Pod => ({
  id,
  workspaceId,
  name,
  slug,
  description,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const presentSpace = (doc: SpaceDoc): Space => ({
  id: doc.id,
  workspaceId: doc.workspaceId,
  ...(doc.podId && { podId: doc.podId }),
  name: doc.name,
  default: doc.default,
  createdAt: doc.createdAt.toISOString(),
  updatedAt: doc.updatedAt.toISOString(),
});
