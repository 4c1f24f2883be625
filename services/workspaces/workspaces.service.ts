import type { Service, ServiceSchema } from "moleculer";
import { hashKeyMixin } from "../../service-kit/hash-key.mixin.ts";
import { outboxMixin } from "../../service-kit/outbox.mixin.ts";
import { storeMixin, type WithStore } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { exportHead, importRecords } from "./archive.ts";
import { accept, read as readInvite } from "./accept-invite.ts";
import { create } from "./create-workspace.ts";
import { decline } from "./decline-invite.ts";
import { invitations } from "./invite-notices.ts";
import * as groups from "./group-roles.ts";
import * as invites from "./invites.ts";
import { members, removeMember, roleOf, updateMember } from "./membership.ts";
import { departures, removals, roleChanges } from "./membership-notices.ts";
import {
  groupRoles as groupRoleCollection,
  invites as inviteCollection,
  members as memberCollection,
  views as viewCollection,
  workspaces as workspaceCollection,
} from "./model.ts";
import { forgetUser, idsOf, ownedAlone } from "./forget-user.ts";
import * as operated from "./operator-workspaces.ts";
import { recipients, get, list, update } from "./workspace.ts";
import { remove, sweepWorkspaces } from "./remove-workspace.ts";
import { search } from "./search.ts";
import { bySlug, summary } from "./summary.ts";
import { changeQuotas, quotas, readQuotas } from "./quotas.ts";
import { readUsage } from "./read-usage.ts";
import * as usage from "./count-usage.ts";
import { usages } from "./usage-model.ts";
import { usageNotices } from "./usage-notices.ts";
import * as views from "./views.ts";

async function sweep(this: Service & WithStore, now: Date): Promise<void> {
  await sweepWorkspaces.call(this, now);
  await invites.sweepInvites(this.store, now);
  await usage.sweepUsage(this, now);
}

const workspaces: ServiceSchema = {
  name: "workspaces",
  mixins: [
    sweepMixin(sweep),
    outboxMixin(roleChanges, removals, invitations, usageNotices),
    hashKeyMixin,
    storeMixin([
      workspaceCollection,
      memberCollection,
      departures,
      inviteCollection,
      viewCollection,
      groupRoleCollection,
      usages,
    ]),
  ],
  actions: {
    create,
    list,
    get,
    bySlug,
    summary,
    search,
    update,
    remove,
    export: exportHead,
    import: importRecords,
    members,
    updateMember,
    removeMember,
    roleOf,
    recipients,
    "invites.create": invites.create,
    "invites.list": invites.list,
    "invites.remove": invites.remove,
    "invites.read": readInvite,
    "invites.accept": accept,
    "invites.decline": decline,
    "sso.read": groups.read,
    "sso.update": groups.update,
    applyGroups: groups.applyGroups,
    count: operated.count,
    "operator.list": operated.list,
    "operator.get": operated.get,
    "operator.remove": operated.remove,
    "operator.setOwner": operated.setOwner,
    "operator.getQuotas": readQuotas,
    "operator.setQuotas": changeQuotas,
    ownedAlone,
    idsOf,
    forgetUser,
    quotas,
    usage: readUsage,
    "usage.take": usage.take,
    "usage.giveBack": usage.giveBack,
    "usage.add": usage.add,
    "usage.reached": usage.reached,
    "views.list": views.list,
    "views.create": views.create,
    "views.update": views.update,
    "views.remove": views.remove,
  },
};

export default workspaces;
