import type { Service } from "moleculer";
import { v7 as uuid } from "uuid";
import type { Identity, UserIdentity } from "../../contracts/entities/user.ts";
import type { Role } from "../../contracts/primitives.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { Store } from "../../adapters/store/port.ts";
import { makeApiKey } from "../../services/identity/api-key-token.ts";
import identity from "../../services/identity/identity.service.ts";
import { KeyUses } from "../../services/identity/key-uses.ts";
import { apiKeys } from "../../services/identity/model.ts";
import { sweepIdentity } from "../../services/identity/sweep.ts";
import notifications from "../../services/notifications/notifications.service.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import { members } from "../../services/workspaces/model.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { addMember } from "../support/add-member.ts";
import {
  fakeExecutions,
  fakePurges,
  ownDataDir,
  refusal,
  type ServiceNode,
  userIdentity,
  startServices,
  until,
} from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
const ended: string[] = [];
const listener = {
  name: "listener",
  events: {
    "credential.ended": {
      handler: ({ params }: { params: { credentialId: string } }) => ended.push(params.credentialId),
    },
  },
};
beforeAll(async () => {
  const executions = fakeExecutions(() => undefined);
  const others = fakePurges(
    "schedules",
    "webhooks",
    "credentials",
    "variables",
    "memory",
    "knowledge",
    "mcp",
    "files",
    "idempotency",
    "audit",
  );
  node = await startServices(identity, workspaces, pods, workflows, notifications, executions, ...others);
  node.broker.createService(listener as never);
});
afterAll(() => node.stop());
afterEach(() => jest.restoreAllMocks());

let workspaceId: string;
let owner: Identity;
let admin: Identity;
beforeEach(async () => {
  owner = userIdentity();
  ({ id: workspaceId } = await node.act(owner, "workspaces.create", { name: "Team" }));
  admin = await addMember(node, workspaceId, "admin");
});

const create = (by: Identity, role?: Role, more: { expiresAt?: string } = {}) =>
  node.act(by, "identity.apiKeys.create", { workspaceId, name: "CI", role, ...more });
const who = (token: string) => node.act(null, "identity.verify", { token });
const principal = async (by: Identity, role?: Role) => (await who((await create(by, role)).key))!;
const listed = async () => (await node.act(owner, "identity.apiKeys.list", { workspaceId })).items;
const revoke = (by: Identity, id: string) => node.act(by, "identity.apiKeys.remove", { workspaceId, id });
const removeMember = (by: Identity, { userId }: Identity) =>
  node.act(by, "workspaces.removeMember", { workspaceId, userId });
const setRole = (by: Identity, { userId }: Identity, role: Role) =>
  node.act(by, "workspaces.updateMember", { workspaceId, userId, role });
const get = (as: Identity, id = workspaceId) => node.act(as, "workspaces.get", { workspaceId: id });
const stored = () => node.service<WithStore>("identity").store.tenant(apiKeys, workspaceId);
const sweep = (now = new Date()) => sweepIdentity.call(node.service<Service & WithStore>("identity"), now);
const later = (ms: number) => {
  const now = Date.now();
  jest.spyOn(Date, "now").mockReturnValue(now + ms);
};

test("a key is shown once, and only a hash of it is stored", async () => {
  const { key, ...shown } = await create(admin);
  expect(key).toMatch(/^wfk_[0-9A-Za-z]{43}$/);
  expect(shown).toEqual({
    id: shown.id,
    workspaceId,
    name: "CI",
    role: "editor",
    createdBy: admin.userId,
    createdAt: expect.any(String) as unknown,
    expiresAt: null,
    lastUsedAt: null,
    scopes: [],
    addresses: [],
    rotatedUntil: null,
  });
  expect(await listed()).toEqual([shown]);
  expect(JSON.stringify(await stored().get({ id: shown.id }))).not.toContain(key.slice(4));
});

test("keys are of one length and never the same", () => {
  const keys = Array.from({ length: 500 }, makeApiKey);
  expect(keys.filter(key => !/^wfk_[0-9A-Za-z]{43}$/.test(key))).toEqual([]);
  expect(new Set(keys).size).toBe(keys.length);
});

test("creating a key above the caller's role, or one that has expired, is rejected", async () => {
  await expect(create(admin, "owner")).rejects.toEqual(refusal("role_too_low"));
  expect((await create(owner, "owner")).role).toBe("owner");
  const editor = await addMember(node, workspaceId, "editor");
  await expect(create(editor, "viewer")).rejects.toEqual(refusal("role_too_low"));
  const expiresAt = new Date().toISOString();
  await expect(create(owner, "viewer", { expiresAt })).rejects.toEqual(refusal("validation_failed"));
});

test("a malformed or altered key does not authenticate", async () => {
  const { key } = await create(admin);
  const last = key.endsWith("A") ? "B" : "A";
  const wrong = ["wfk_", key.slice(4), `${key.slice(0, -1)}${last}`, key.slice(0, -1), `${key}A`, key.toUpperCase()];
  wrong.push(`WFK_${key.slice(4)}`, makeApiKey());
  expect(await Promise.all(wrong.map(who))).toEqual(wrong.map(() => null));
});

test("a key acts with its role in its workspace, and its creator owns what it creates", async () => {
  const key = await principal(owner, "editor");
  expect((await get(key)).role).toBe("editor");
  const made = await node.act(key, "workflows.create", { workspaceId, spaceId: workspaceId, name: "w" });
  expect(made.createdBy).toBe(owner.userId);
  await expect(node.act(key, "workspaces.update", { workspaceId, name: "x" })).rejects.toEqual(refusal("role_too_low"));
});

test("a key sees only its workspace, and creates none", async () => {
  const { id: other } = await node.act(owner, "workspaces.create", { name: "Other" });
  const key = await principal(owner, "admin");
  expect((await node.act(key, "workspaces.list", {})).items).toMatchObject([{ id: workspaceId, role: "admin" }]);
  await expect(get(key, other)).rejects.toEqual(refusal("not_found"));
  await expect(node.act(key, "workspaces.create", { name: "Mine" })).rejects.toEqual(refusal("api_key_not_allowed"));
});

test("a key is rejected by the actions that belong to a user", async () => {
  const key = await principal(owner, "owner");
  const refused = [
    node.act(key, "identity.me", {}),
    node.act(key, "identity.updateMe", { name: "Eve" }),
    node.act(key, "identity.logout", {}),
    node.act(key, "workspaces.invites.accept", { token: "x" }),
  ];
  for (const call of refused) await expect(call).rejects.toEqual(refusal("api_key_not_allowed"));
});

test("a key has the lower of its role and its creator's role", async () => {
  const key = await principal(admin, "admin");
  await setRole(owner, admin, "viewer");
  expect((await get(key)).role).toBe("viewer");
  expect((await node.act(key, "workspaces.list", {})).items[0]?.role).toBe("viewer");
  await expect(node.act(key, "identity.apiKeys.list", { workspaceId })).rejects.toEqual(refusal("role_too_low"));
  await setRole(owner, admin, "owner");
  expect((await get(key)).role).toBe("admin");
});

test("a key ends when its creator leaves or is removed, and stays ended when the creator returns", async () => {
  const [leaver, removed] = [await addMember(node, workspaceId, "admin"), await addMember(node, workspaceId, "admin")];
  for (const [creator, by] of [
    [leaver, leaver],
    [removed, owner],
  ] as const) {
    const { key, id } = await create(creator, "viewer");
    const acting = (await who(key))!;
    await removeMember(by, creator);
    expect(await who(key)).toBeNull();
    expect(ended).toContain(id);
    await addMember(node, workspaceId, "admin", creator as UserIdentity);
    for (const call of [get(acting), node.act(acting, "workspaces.list", {})]) {
      await expect(call).rejects.toEqual(refusal("unauthenticated"));
    }
  }
  expect(await listed()).toEqual([]);
});

test("a key ends with its creator's membership even when the event was lost, and a sweep removes it", async () => {
  const [kept, orphan] = [await create(owner), await create(admin)];
  const acting = (await who(orphan.key))!;
  const { store } = node.service<WithStore>("workspaces");
  await store.tenant(members, workspaceId).remove({ userId: admin.userId });
  await expect(get(acting)).rejects.toEqual(refusal("unauthenticated"));
  await sweep();
  expect((await listed()).map(({ id }) => id)).toEqual([kept.id]);
  expect(ended).toContain(orphan.id);
});

test("a key below admin removes no member, its creator included", async () => {
  await expect(removeMember(await principal(admin, "viewer"), admin)).rejects.toEqual(refusal("role_too_low"));
  const key = await principal(admin, "admin");
  await removeMember(key, admin);
  await expect(get(key)).rejects.toEqual(refusal("unauthenticated"));
});

test("a key creates keys in its creator's name and not above its own role", async () => {
  const key = await principal(owner, "admin");
  await expect(create(key, "owner")).rejects.toEqual(refusal("role_too_low"));
  const made = await create(key, "admin");
  expect(made.createdBy).toBe(owner.userId);
  expect((await get((await who(made.key))!)).role).toBe("admin");
});

test("a revoked key stops authenticating, and every node is told", async () => {
  const { key, id } = await create(admin);
  expect(await who(key)).not.toBeNull();
  await revoke(owner, id);
  expect(await who(key)).toBeNull();
  expect(ended).toContain(id);
  await expect(revoke(owner, id)).rejects.toEqual(refusal("not_found"));
});

test("a key of another workspace cannot be revoked here", async () => {
  const { id, key } = await create(admin);
  const stranger = userIdentity();
  const { id: other } = await node.act(stranger, "workspaces.create", { name: "Other" });
  const params = { workspaceId: other, id };
  await expect(node.act(stranger, "identity.apiKeys.remove", params)).rejects.toEqual(refusal("not_found"));
  expect(await who(key)).not.toBeNull();
});

test("an expired key does not authenticate, is listed for a month, and is then removed", async () => {
  const inAMinute = Date.now() + 60_000;
  const expiresAt = new Date(inAMinute).toISOString();
  const elsewhere = new Date(inAMinute + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
  const { key } = await create(admin, "viewer", { expiresAt: elsewhere });
  expect(await who(key)).not.toBeNull();
  later(60_000);
  expect(await who(key)).toBeNull();
  jest.restoreAllMocks();
  const days = (count: number) => new Date(Date.now() + count * 86_400_000);
  await sweep(days(29));
  expect(await listed()).toMatchObject([{ expiresAt }]);
  await sweep(days(31));
  expect(await listed()).toEqual([]);
});

test("the last use of a key is stored at most once a minute", async () => {
  const { key, id } = await create(admin);
  await who(key);
  await until(async () => (await listed())[0]?.lastUsedAt !== null);

  const updateOne = jest.fn(() => Promise.resolve(null));
  const uses = new KeyUses({ tenant: () => ({ updateOne }) } as unknown as Store, () => undefined);
  const [used, other] = [
    { id, workspaceId, lastUsedAt: null },
    { id: uuid(), workspaceId, lastUsedAt: new Date() },
  ];
  for (let i = 0; i < 100; i++) [used, other].forEach(one => uses.note(one));
  expect(updateOne.mock.calls).toEqual([[{ id }, { $set: { lastUsedAt: expect.any(Date) as unknown } }]]);
  later(60_000);
  for (let i = 0; i < 100; i++) [used, other].forEach(one => uses.note(one));
  expect(updateOne).toHaveBeenCalledTimes(3);
});

test("deleting a workspace removes its keys and no others", async () => {
  const { key } = await create(admin);
  const { id: other } = await node.act(owner, "workspaces.create", { name: "Other" });
  const kept = await node.act(owner, "identity.apiKeys.create", { workspaceId: other, name: "kept" });
  const acting = (await who(key))!;
  await node.act(owner, "workspaces.remove", { workspaceId });
  await expect(get(acting)).rejects.toEqual(refusal("unauthenticated"));
  await until(async () => (await stored().count({})) === 0);
  expect(await who(key)).toBeNull();
  expect(await who(kept.key)).not.toBeNull();
});

test("lists come page by page, newest first", async () => {
  for (let i = 0; i < 3; i++) await node.act(owner, "identity.apiKeys.create", { workspaceId, name: `key ${i}` });
  const first = await node.act(owner, "identity.apiKeys.list", { workspaceId, limit: 2 });
  const params = { workspaceId, limit: 2, cursor: first.next! };
  const second = await node.act(owner, "identity.apiKeys.list", params);
  expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(["key 2", "key 1", "key 0"]);
  const nobody = { workspaceId: uuid() };
  await expect(node.act(owner, "identity.apiKeys.list", nobody)).rejects.toEqual(refusal("not_found"));
});

test("a workspace has up to a thousand keys", async () => {
  const { id } = await create(owner);
  const { store } = node.service<WithStore>("identity");
  const first = (await store.tenant(apiKeys, workspaceId).get({ id }))!;
  const docs = Array.from({ length: 999 }, (_, i) => ({ ...first, id: uuid(), hash: `${first.hash}${i}` }));
  await store.tenant(apiKeys, workspaceId).insertMany(docs);
  await expect(create(owner)).rejects.toEqual(refusal("limit_reached"));
  await node.act(owner, "identity.apiKeys.remove", { workspaceId, id });
  await create(owner);
});
