import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import type { Invite } from "../../contracts/entities/invite.ts";
import type { User } from "../../contracts/entities/user.ts";
import type { Member, Workspace } from "../../contracts/entities/workspace.ts";
import { ROLES, type Role } from "../../contracts/primitives.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX, type Telling } from "../../mixins/outbox.ts";
import { type Mortal, TOMBSTONE_FIELDS, TOMBSTONE_INDEX } from "../../mixins/tombstone.ts";

export interface WorkspaceDoc extends Mortal {
  name: string;
  /** A deleted workspace has one that no slug can be, so that its own is free at once. */
  slug: string;
  createdAt: Date;
  updatedAt: Date;
}

const workspace = new Schema({
  name: { type: String, required: true },
  slug: { type: String, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  ...TOMBSTONE_FIELDS,
});
workspace.index({ slug: 1 }, { unique: true });
workspace.index(...TOMBSTONE_INDEX);

export const workspaces = defineCollection<WorkspaceDoc>({ name: "workspaces", schema: workspace, tenant: false });

/** Who belongs to a workspace; ids sort by the time of joining. Members are told when their role was changed. */
export interface MemberDoc extends Telling {
  workspaceId: string;
  userId: string;
  role: Role;
  createdAt: Date;
  updatedAt: Date;
}

const member = new Schema({
  userId: { type: String, required: true },
  role: { type: String, required: true, enum: ROLES },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  ...OUTBOX_FIELDS,
});
member.index(...OUTBOX_INDEX);
member.index({ workspaceId: 1, userId: 1 }, { unique: true });
member.index({ workspaceId: 1, _id: -1 });
member.index({ userId: 1, workspaceId: -1 });

export const members = defineCollection<MemberDoc>({ name: "members", schema: member, tenant: true });

/** If its address is that of a user, they are told of it. */
export interface InviteDoc extends Telling {
  workspaceId: string;
  email: string;
  role: Role;
  /** The token, as a keyed hash. */
  hash: string;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
  /** Not accepted yet; it may have expired. */
  pending?: boolean;
  acceptedBy?: string;
}

const invite = new Schema({
  email: { type: String, required: true },
  role: { type: String, required: true, enum: ROLES },
  hash: { type: String, required: true },
  invitedBy: { type: String, required: true },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
  pending: Boolean,
  acceptedBy: String,
  ...OUTBOX_FIELDS,
});
const pending = { partialFilterExpression: { pending: true } };
invite.index({ workspaceId: 1, email: 1 }, { unique: true, ...pending });
invite.index({ workspaceId: 1, _id: -1 }, pending);
invite.index({ expiresAt: 1 });
invite.index(...OUTBOX_INDEX);

export const invites = defineCollection<InviteDoc>({ name: "invites", schema: invite, tenant: true });

export const presentInvite = (doc: InviteDoc): Invite => ({
  id: doc.id,
  workspaceId: doc.workspaceId,
  email: doc.email,
  role: doc.role,
  invitedBy: doc.invitedBy,
  createdAt: doc.createdAt.toISOString(),
  expiresAt: doc.expiresAt.toISOString(),
});

export const presentWorkspace = ({ id, name, slug, createdAt, updatedAt }: WorkspaceDoc, role: Role): Workspace => ({
  id,
  name,
  slug,
  role,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const presentMember = ({ userId, role, createdAt }: MemberDoc, user: User | undefined): Member => ({
  userId,
  role,
  name: user?.name ?? null,
  email: user?.email ?? null,
  createdAt: createdAt.toISOString(),
});
