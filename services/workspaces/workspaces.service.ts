import type { ServiceSchema } from "moleculer";
import { storeMixin } from "../../mixins/store.mixin.ts";
import { sweepMixin } from "../../mixins/sweep.mixin.ts";
import { create } from "./create-workspace.ts";
import { members, removeMember, roleOf, updateMember } from "./membership.ts";
import { members as memberCollection, workspaces as workspaceCollection } from "./model.ts";
import { remove, sweepWorkspaces } from "./remove-workspace.ts";
import { get, list, update } from "./workspace.ts";

const workspaces: ServiceSchema = {
  name: "workspaces",
  mixins: [sweepMixin(sweepWorkspaces), storeMixin([workspaceCollection, memberCollection])],
  actions: { create, list, get, update, remove, members, updateMember, removeMember, roleOf },
};

export default workspaces;
