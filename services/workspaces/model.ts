import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import { config } from "../../config.ts";
import { boolean, date, json, number, oneOf, optional, string } from "../../adapters/store/field-types.ts";
import type { QuotaName } from "../../contracts/entities/quota.ts";
import { invite } from "../../contracts/entities/invite.ts";
import { savedView } from "../../contracts/entities/saved-view.ts";
import type { User } from "../../contracts/entities/user.ts";
import { member, workspace } from "../../contracts/entities/workspace.ts";
import { ROLES, type Role } from "../../contracts/primitives.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX } from "../../service-kit/outbox.ts";
import { presenter } from "../../service-kit/present.ts";
import { TOMBSTONE_FIELDS, TOMBSTONE_INDEX } from "../../service-kit/tombstone.ts";

export const workspaces = defineCollection({
  name: "workspaces",
  tenant: false,
  fields: {
    name: string(),
    /** A deleted workspace gets a value that is not a valid slug, so that its own slug becomes free at once. */
    slug: string(),
    /** True if members need a session with a second factor. */
    demandsFactor: optional(boolean()),
    /** The quotas that operators set for this workspace. Other quotas come from the installation. */
    quotas: optional(json<Partial<Record<QuotaName, number>>>()),
    /** Counts the changes of the quotas. Each change requires the version that it has read. */
    quotasVersion: optional(number()),
    createdAt: date(),
    updatedAt: date(),
    ...TOMBSTONE_FIELDS,
  },
  indexes: [[{ slug: 1 }, { unique: true }], TOMBSTONE_INDEX],
});
export type WorkspaceDoc = DocumentOf<typeof workspaces>;

/** The members of a workspace. Ids sort by the time of joining. Members are notified when their role changes. */
export const members = defineCollection({
  name: "members",
  tenant: true,
  fields: {
    userId: string(),
    role: oneOf(ROLES),
    /** The provider whose groups determine the role. */
    managedBy: optional(string()),
    createdAt: date(),
    updatedAt: date(),
    ...OUTBOX_FIELDS,
  },
  indexes: [
    OUTBOX_INDEX,
    [{ workspaceId: 1, userId: 1 }, { unique: true }],
    [{ workspaceId: 1, _id: -1 }],
    [{ userId: 1, workspaceId: -1 }],
  ],
});
export type MemberDoc = DocumentOf<typeof members>;

const pending = { partialFilterExpression: { pending: true } };

/** An invite to an e-mail address. If a user has that address, the user is notified. */
export const invites = defineCollection({
  name: "invites",
  tenant: true,
  fields: {
    email: string(),
    role: oneOf(ROLES),
    /** A keyed hash of the token. */
    hash: string(),
    invitedBy: string(),
    createdAt: date(),
    expiresAt: date(),
    /** True until the invite is accepted or declined. It may have expired. */
    pending: optional(boolean()),
    acceptedBy: optional(string()),
    declinedAt: optional(date()),
    ...OUTBOX_FIELDS,
  },
  indexes: [
    [
      { workspaceId: 1, email: 1 },
      { unique: true, ...pending },
    ],
    [{ workspaceId: 1, _id: -1 }, pending],
    [{ expiresAt: 1 }],
    OUTBOX_INDEX,
  ],
});
export type InviteDoc = DocumentOf<typeof invites>;

/** A group of a provider, and the role of its people in the workspace. */
export const groupRoles = defineCollection({
  name: "groupRoles",
  tenant: true,
  fields: { provider: string(), group: string(), role: oneOf(ROLES), createdAt: date() },
  indexes: [[{ workspaceId: 1, provider: 1, group: 1 }, { unique: true }], [{ provider: 1, group: 1 }]],
});
export type GroupRoleDoc = DocumentOf<typeof groupRoles>;

/** Saved filters of the console's pages. */
export const views = defineCollection({
  name: "views",
  tenant: true,
  fields: {
    name: string(),
    page: string(),
    query: string(),
    shared: boolean(),
    createdBy: string(),
    createdAt: date(),
  },
  indexes: [[{ workspaceId: 1, createdBy: 1, _id: -1 }], [{ workspaceId: 1, shared: 1, _id: -1 }]],
});
export type ViewDoc = DocumentOf<typeof views>;

/** Whether members need a session with a second factor, because the workspace or the operator demands it. */
export const demandsFactor = (doc: Pick<WorkspaceDoc, "demandsFactor"> | null): boolean =>
  config().DEMAND_FACTOR || doc?.demandsFactor === true;

export const presentView = presenter(savedView, views, ({ createdBy }, person: string | null) => ({
  mine: createdBy === person,
}));
export const presentInvite = presenter(invite, invites);
export const presentWorkspace = presenter(workspace, workspaces, (doc, role: Role) => ({
  role,
  demandsFactor: demandsFactor(doc),
}));
export const presentMember = presenter(member, members, (doc, user: User | undefined) => ({
  managedBy: doc.managedBy ?? null,
  name: user?.name ?? null,
  email: user?.email ?? null,
}));
