import type { Identity } from "../../contracts/entities/user.ts";
import type { Role } from "../../contracts/primitives.ts";
import identity from "../../services/identity/identity.service.ts";
import pods from "../../services/pods/pods.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { addMember } from "../support/add-member.ts";
import {
  outcomes,
  ownDataDir,
  refusal,
  type ServiceNode,
  userIdentity,
  startServices,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(identity, workspaces, pods)));
afterAll(() => node.stop());

let workspaceId: string;
let owner: Identity;
const team = {} as Record<Role, Identity>;

beforeEach(async () => {
  owner = userIdentity();
  ({ id: workspaceId } = await node.act(owner, "workspaces.create", { name: "Team" }));
  team.owner = owner;
  for (const role of ["viewer", "editor", "admin"] as const) team[role] = await addMember(node, workspaceId, role);
});

const setRole = (as: Identity, who: Identity, role: Role) =>
  node.act(as, "workspaces.updateMember", { workspaceId, userId: who.userId, role });
const removeMember = (as: Identity, who: Identity) =>
  node.act(as, "workspaces.removeMember", { workspaceId, userId: who.userId });
const roleOf = async (who: Identity) =>
  (await node.act(null, "workspaces.roleOf", { workspaceId, userId: who.userId })).role;

test("members are listed with name and address, newest first, page by page", async () => {
  const registered = await node.act(null, "identity.register", {
    email: "grace@example.com",
    password: "correct horse battery",
    name: "Grace",
  });
  await addMember(node, workspaceId, "editor", userIdentity(registered.user.id));
  const first = await node.act(team.viewer, "workspaces.members", { workspaceId, limit: 3 });
  expect(first.items[0]).toEqual({
    userId: registered.user.id,
    role: "editor",
    name: "Grace",
    email: "grace@example.com",
    managedBy: null,
    createdAt: expect.any(String) as unknown,
  });
  const second = await node.act(team.viewer, "workspaces.members", { workspaceId, limit: 3, cursor: first.next! });
  expect([...first.items, ...second.items].map(one => one.role)).toEqual([
    "editor",
    "admin",
    "editor",
    "viewer",
    "owner",
  ]);
  expect(second.next).toBeNull();
});

test("an admin sets roles up to their own, and a change takes effect at once", async () => {
  expect((await setRole(team.admin, team.viewer, "admin")).role).toBe("admin");
  expect(await roleOf(team.viewer)).toBe("admin");
  await expect(setRole(team.admin, team.editor, "owner")).rejects.toEqual(refusal("role_too_low"));
  await expect(setRole(team.editor, team.viewer, "viewer")).rejects.toEqual(refusal("role_too_low"));
  expect(await roleOf(team.editor)).toBe("editor");
});

test("an owner promotes another, and then neither can be demoted or removed", async () => {
  expect((await setRole(owner, team.admin, "owner")).role).toBe("owner");
  await expect(setRole(team.admin, owner, "admin")).rejects.toEqual(refusal("owner_is_fixed"));
  await expect(setRole(owner, owner, "viewer")).rejects.toEqual(refusal("owner_is_fixed"));
  await expect(removeMember(team.admin, owner)).rejects.toEqual(refusal("owner_is_fixed"));
  await expect(removeMember(owner, owner)).rejects.toEqual(refusal("owner_is_fixed"));
  expect(await Promise.all([owner, team.admin].map(roleOf))).toEqual(["owner", "owner"]);
});

test("anyone but an owner may leave; only an admin removes others", async () => {
  await expect(removeMember(team.editor, team.viewer)).rejects.toEqual(refusal("role_too_low"));
  await expect(removeMember(team.viewer, userIdentity())).rejects.toEqual(refusal("role_too_low"));
  await removeMember(team.viewer, team.viewer);
  expect(await roleOf(team.viewer)).toBeNull();
  await removeMember(team.admin, team.editor);
  await expect(node.act(team.editor, "workspaces.get", { workspaceId })).rejects.toEqual(refusal("not_found"));
  await expect(removeMember(team.admin, team.editor)).rejects.toEqual(refusal("not_found"));
  await expect(setRole(team.admin, team.editor, "viewer")).rejects.toEqual(refusal("not_found"));
});

test("a promotion to owner at the same moment as a demotion or removal never leaves an owner demoted or removed", async () => {
  for (let round = 0; round < 10; round++) {
    const who = await addMember(node, workspaceId, "editor");
    const [promoted] = await Promise.allSettled([
      setRole(owner, who, "owner"),
      setRole(team.admin, who, "viewer"),
      removeMember(team.admin, who),
    ]);
    if (promoted.status === "fulfilled") expect(await roleOf(who)).toBe("owner");
  }
});

test("two owners who leave, remove or demote each other at the same moment both stay owners", async () => {
  const other = team.admin;
  await setRole(owner, other, "owner");
  const attempts = [
    removeMember(owner, owner),
    removeMember(other, other),
    removeMember(owner, other),
    removeMember(other, owner),
    setRole(owner, other, "viewer"),
    setRole(other, owner, "viewer"),
  ];
  expect(await outcomes(attempts)).toEqual(["owner_is_fixed"]);
  expect(await Promise.all([owner, other].map(roleOf))).toEqual(["owner", "owner"]);
});

test("role changes that race removals leave a member with a role that was set, or none", async () => {
  for (let round = 0; round < 10; round++) {
    const who = await addMember(node, workspaceId, "viewer");
    const attempts = [setRole(owner, who, "admin"), removeMember(team.admin, who), setRole(owner, who, "editor")];
    const [promoted, removed, changed] = await Promise.allSettled(attempts);
    const role = await roleOf(who);
    if (removed?.status === "fulfilled") expect(role).toBeNull();
    else expect([promoted, changed].some(one => one?.status === "fulfilled")).toBe(true);
    if (role === null) await expect(setRole(owner, who, "owner")).rejects.toEqual(refusal("not_found"));
    for (const one of [promoted, removed, changed]) {
      if (one?.status === "rejected")
        expect(["conflict", "not_found"]).toContain((one.reason as { type: string }).type);
    }
  }
});

test("a member of one workspace cannot be reached through another", async () => {
  const other = userIdentity();
  const { id } = await node.act(other, "workspaces.create", { name: "Other" });
  const params = { workspaceId: id, userId: team.viewer.userId };
  await expect(node.act(other, "workspaces.updateMember", { ...params, role: "admin" })).rejects.toEqual(
    refusal("not_found"),
  );
  await expect(node.act(other, "workspaces.removeMember", params)).rejects.toEqual(refusal("not_found"));
  expect(await roleOf(team.viewer)).toBe("viewer");
});
