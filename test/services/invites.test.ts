import { v7 as uuid } from "uuid";
import type { Identity, UserIdentity } from "../../contracts/entities/user.ts";
import type { Role } from "../../contracts/primitives.ts";
import { publicUrl } from "../../service-kit/public-url.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import audit from "../../services/audit/audit.service.ts";
import identity from "../../services/identity/identity.service.ts";
import notifications from "../../services/notifications/notifications.service.ts";
import pods from "../../services/pods/pods.service.ts";
import { invites, members } from "../../services/workspaces/model.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { addMember } from "../support/add-member.ts";
import { outcomes, ownDataDir, refusal, type ServiceNode, startServices, until } from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(identity, workspaces, pods, notifications, audit)));
afterAll(() => node.stop());
afterEach(() => jest.restoreAllMocks());

const DAY_MS = 86_400_000;
let count = 0;
let owner: Person;
let workspaceId: string;

type Person = UserIdentity & { email: string };
async function person(email = `person${count++}@example.com`): Promise<Person> {
  const { user, accessToken } = await node.act(null, "identity.register", { email, password: "correct horse battery" });
  const who = (await node.act(null, "identity.verify", { token: accessToken })) as UserIdentity;
  return { ...who, email: user.email };
}
beforeAll(async () => void (owner = await person()));
beforeEach(async () => void ({ id: workspaceId } = await node.act(owner, "workspaces.create", { name: "Team" })));

const invite = (email: string, role?: Role, by: Identity = owner) =>
  node.act(by, "workspaces.invites.create", { workspaceId, email, role });
const accept = (who: UserIdentity, token: string) => node.act(who, "workspaces.invites.accept", { token });
const listed = async () => (await node.act(owner, "workspaces.invites.list", { workspaceId })).items;
const roleOf = async ({ userId }: UserIdentity) =>
  (await node.act(null, "workspaces.roleOf", { workspaceId, userId })).role;
const stored = () => node.service<WithStore>("workspaces").store.tenant(invites, workspaceId);
const expire = (id: string) => stored().updateOne({ id }, { $set: { expiresAt: new Date(Date.now() - 1) } });

test("an invite shows its token once, and only a hash of it is stored", async () => {
  const { token, link, ...shown } = await invite("Grace@Example.com", "editor");
  expect(shown).toEqual({
    id: shown.id,
    workspaceId,
    email: "grace@example.com",
    role: "editor",
    invitedBy: owner.userId,
    createdAt: expect.any(String) as unknown,
    expiresAt: expect.any(String) as unknown,
  });
  expect(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)).toBe(7 * DAY_MS);
  expect(token).toMatch(/^wfi_[\w-]{64}$/);
  expect(link).toBe(`http://localhost:3000/#invite=${token}`);
  const elsewhere = { PUBLIC_URL: "https://weft.example.com/flows/", PORT: 1 };
  expect(publicUrl(elsewhere)).toBe("https://weft.example.com/flows");
  expect(await listed()).toEqual([shown]);
  expect(JSON.stringify(await stored().get({ id: shown.id }))).not.toContain(token.slice(30));
});

test("the invited person becomes a member with the invite's role, by default viewer", async () => {
  const [grace, alan] = [await person(), await person()];
  expect(await accept(grace, (await invite(grace.email.toUpperCase(), "admin")).token)).toMatchObject({
    id: workspaceId,
    role: "admin",
  });
  await accept(alan, (await invite(alan.email)).token);
  expect([await roleOf(grace), await roleOf(alan)]).toEqual(["admin", "viewer"]);
  expect(await listed()).toEqual([]);
});

test("an invite above the caller's role, or by a member below admin, is rejected", async () => {
  const [admin, editor] = [await addMember(node, workspaceId, "admin"), await addMember(node, workspaceId, "editor")];
  await expect(invite("a@example.com", "owner", admin)).rejects.toEqual(refusal("role_too_low"));
  await expect(invite("a@example.com", "viewer", editor)).rejects.toEqual(refusal("role_too_low"));
  expect((await invite("a@example.com", "admin", admin)).role).toBe("admin");
});

test("an invite ends when its creator loses the role or the membership", async () => {
  const [admin, second] = [await addMember(node, workspaceId, "admin"), await addMember(node, workspaceId, "admin")];
  const setRole = (who: Identity, role: Role) =>
    node.act(owner, "workspaces.updateMember", { workspaceId, userId: who.userId, role });
  const [above, within, other] = [await person(), await person(), await person()];
  const high = await invite(above.email, "admin", admin);
  const low = await invite(within.email, "viewer", admin);
  const theirs = await invite(other.email, "viewer", second);
  // As a kill right behind the change of the role leaves it.
  const { store } = node.service<WithStore>("workspaces");
  await store.tenant(members, workspaceId).updateOne({ userId: admin.userId }, { $set: { role: "editor" } });
  await expect(accept(above, high.token)).rejects.toEqual(refusal("not_found"));
  await setRole(admin, "admin");
  await setRole(admin, "editor");
  expect((await listed()).map(({ id }) => id)).toEqual([theirs.id, low.id]);
  await accept(within, low.token);
  await node.act(owner, "workspaces.removeMember", { workspaceId, userId: second.userId });
  expect(await listed()).toEqual([]);
  await expect(accept(other, theirs.token)).rejects.toEqual(refusal("not_found"));
});

test("inviting a member, or one person twice, is rejected, also concurrently", async () => {
  await expect(invite(owner.email)).rejects.toEqual(refusal("already_member"));
  const twice = ["b@example.com", "B@example.com"].map(email => invite(email));
  expect(await outcomes(twice)).toEqual(["already_invited", "ok"]);
  expect(await listed()).toHaveLength(1);
  const { id: other } = await node.act(owner, "workspaces.create", { name: "Other" });
  const elsewhere = { workspaceId: other, email: "b@example.com" };
  expect(await node.act(owner, "workspaces.invites.create", elsewhere)).toMatchObject({ email: "b@example.com" });
});

test("concurrent acceptances of an invite make one member, and one of them succeeds", async () => {
  for (let round = 0; round < 5; round++) {
    const who = await person();
    const { token } = await invite(who.email, "editor");
    const settled = await Promise.allSettled(Array.from({ length: 8 }, () => accept(who, token)));
    expect(settled.filter(one => one.status === "fulfilled")).toHaveLength(1);
    const refused = settled.flatMap(one => (one.status === "rejected" ? [one.reason as { type: string }] : []));
    // MongoDB shows the member before the invite is used up, as it keeps one write after the other.
    for (const { type } of refused) expect(["invite_used", "already_member"]).toContain(type);
    const { store } = node.service<WithStore>("workspaces");
    expect(await store.tenant(members, workspaceId).count({ userId: who.userId })).toBe(1);
  }
});

test("a used invite is rejected, also for a member who was removed since", async () => {
  const grace = await person();
  const { token } = await invite(grace.email);
  await accept(grace, token);
  await node.act(owner, "workspaces.removeMember", { workspaceId, userId: grace.userId });
  await expect(accept(grace, token)).rejects.toEqual(refusal("invite_used"));
  expect(await roleOf(grace)).toBeNull();
  await accept(grace, (await invite(grace.email, "editor")).token);
  expect(await roleOf(grace)).toBe("editor");
});

test("an expired invite is reported as expired, is no longer listed, and allows another one", async () => {
  const grace = await person();
  const { id, token } = await invite(grace.email);
  await expire(id);
  expect(await listed()).toEqual([]);
  await expect(accept(grace, token)).rejects.toEqual(refusal("invite_expired"));
  const second = await invite(grace.email, "editor");
  await expect(accept(grace, token)).rejects.toEqual(refusal("invite_expired"));
  expect((await accept(grace, second.token)).role).toBe("editor");
});

test("another person's token reveals neither the workspace nor the state of the invite", async () => {
  const [grace, eve] = [await person(), await person()];
  const { id, token } = await invite(grace.email);
  const refused = () => accept(eve, token).catch((error: unknown) => ({ ...(error as object) }));
  const pending = await refused();
  expect(pending).toMatchObject({ type: "invite_not_yours", code: 403 });
  expect(JSON.stringify(pending)).not.toMatch(new RegExp(`${grace.email}|${workspaceId}|Team`));
  await expire(id);
  expect(await refused()).toEqual(pending);
  await stored().updateOne({ id }, { $set: { expiresAt: new Date(Date.now() + DAY_MS) } });
  await accept(grace, token);
  expect(await refused()).toEqual(pending);
});

test("a foreign, altered or revoked token is not found", async () => {
  const grace = await person();
  const { id, token } = await invite(grace.email);
  const last = token.endsWith("A") ? "B" : "A";
  const body = Buffer.from(token.slice(4), "base64url");
  const otherVersion = Buffer.from(body);
  otherVersion[6] = 0xff;
  const tokens = [
    "x",
    "wfi_",
    token.slice(0, -1),
    token.slice(4),
    `${token.slice(0, -1)}${last}`,
    `${token.slice(0, 30)}${token.slice(30).toLowerCase()}`,
    `wfi_${otherVersion.toString("base64url")}`,
    `wfi_${Buffer.alloc(48).toString("base64url")}`,
  ];
  for (const wrong of tokens) await expect(accept(grace, wrong)).rejects.toEqual(refusal("not_found"));
  await node.act(owner, "workspaces.invites.remove", { workspaceId, inviteId: id });
  await expect(accept(grace, token)).rejects.toEqual(refusal("not_found"));
  await expect(node.act(owner, "workspaces.invites.remove", { workspaceId, inviteId: id })).rejects.toEqual(
    refusal("not_found"),
  );
  expect(await roleOf(grace)).toBeNull();
});

test("of a concurrent acceptance and revocation, one succeeds", async () => {
  for (let round = 0; round < 5; round++) {
    const who = await person();
    const { id, token } = await invite(who.email);
    const [accepted, revoked] = await Promise.allSettled([
      accept(who, token),
      node.act(owner, "workspaces.invites.remove", { workspaceId, inviteId: id }),
    ]);
    expect([accepted.status, revoked.status].sort()).toEqual(["fulfilled", "rejected"]);
    expect(await roleOf(who)).toBe(accepted.status === "fulfilled" ? "viewer" : null);
  }
});

test("a person who has become a member meanwhile keeps their role", async () => {
  const grace = await person();
  const { token } = await invite(grace.email, "admin");
  await addMember(node, workspaceId, "viewer", grace);
  await expect(accept(grace, token)).rejects.toEqual(refusal("already_member"));
  expect(await roleOf(grace)).toBe("viewer");
  expect(await listed()).toEqual([]);
});

test("lists come page by page, newest first", async () => {
  for (let i = 0; i < 3; i++) await invite(`page${i}@example.com`);
  const first = await node.act(owner, "workspaces.invites.list", { workspaceId, limit: 2 });
  const second = await node.act(owner, "workspaces.invites.list", { workspaceId, limit: 2, cursor: first.next! });
  const emails = [...first.items, ...second.items].map(one => one.email);
  expect(emails).toEqual(["page2@example.com", "page1@example.com", "page0@example.com"]);
});

test("an invite to a deleted workspace is rejected", async () => {
  const grace = await person();
  const { token } = await invite(grace.email);
  await node.act(owner, "workspaces.remove", { workspaceId });
  await expect(accept(grace, token)).rejects.toEqual(refusal("not_found"));
  await until(async () => (await stored().count({})) === 0);
});

test("invites that ended long ago are removed, and others are kept", async () => {
  const [old, recent] = [await invite("old@example.com"), await invite("recent@example.com")];
  await stored().updateOne({ id: old.id }, { $set: { expiresAt: new Date(Date.now() - 31 * DAY_MS) } });
  await expire(recent.id);
  node.service<WithSweep>("workspaces").sweeper.soon();
  await until(async () => (await stored().get({ id: old.id })) === null);
  expect(await stored().get({ id: recent.id })).not.toBeNull();
});

test("a person who is invited repeatedly is notified once a day", async () => {
  const grace = await person();
  for (let i = 0; i < 3; i++) {
    const { id } = await invite(grace.email);
    await until(async () => (await stored().get({ id }))?.tellAt == null);
    await node.act(owner, "workspaces.invites.remove", { workspaceId, inviteId: id });
  }
  // Two where a day ends in between.
  expect((await node.act(grace, "notifications.list", {})).items.length).toBeLessThan(3);
});

test("a workspace has up to a thousand pending invites", async () => {
  const now = new Date();
  const fields = {
    workspaceId,
    role: "viewer" as const,
    hash: "h",
    invitedBy: owner.userId,
    pending: true,
    createdAt: now,
  };
  const expiresAt = new Date(now.getTime() + DAY_MS);
  const docs = Array.from({ length: 1_000 }, (_, i) => ({
    id: uuid(),
    email: `many${i}@example.com`,
    expiresAt,
    ...fields,
  }));
  await stored().insertMany(docs);
  await expect(invite("last@example.com")).rejects.toEqual(refusal("limit_reached"));
  await node.act(owner, "workspaces.invites.remove", { workspaceId, inviteId: docs[0]!.id });
  expect((await invite("last@example.com")).email).toBe("last@example.com");
});

test("a registered user is notified without the token, and only of their own invite", async () => {
  const grace = await person();
  const { token } = await invite(grace.email, "editor");
  await invite("unregistered@example.com");
  const inbox = () => node.act(grace, "notifications.list", {});
  await until(async () => (await inbox()).items.length > 0);
  const [notification] = (await inbox()).items;
  expect(notification).toMatchObject({ type: "invite", workspaceId, title: "You are invited to Team" });
  expect(notification?.body).toContain(owner.email);
  expect(JSON.stringify(notification)).not.toContain(token);
});

const decline = (token: string) => node.act(null, "workspaces.invites.decline", { token });
const told = async (type: string) =>
  (await node.act(owner, "notifications.list", {})).items.filter(one => one.type === type);

test("lets a person decline once: the invite opens nothing, its inviter is told, and there is room for another", async () => {
  const grace = await person();
  const { id, token } = await invite(grace.email, "editor");
  const before = (await told("invite_declined")).length;
  // The second tells of the same, as after an answer that was lost.
  await Promise.all([decline(token), decline(token)]);
  await decline(token);
  expect(await listed()).toEqual([]);
  await expect(accept(grace, token)).rejects.toEqual(refusal("invite_declined"));
  expect(await roleOf(grace)).toBeNull();
  await until(async () => (await told("invite_declined")).length === before + 1);
  const [notification] = await told("invite_declined");
  expect(notification).toMatchObject({ workspaceId, title: `${grace.email} declined the invite to Team` });
  expect(notification?.consoleUrl).toBe(`http://localhost:3000/w/${workspaceId}/settings/members`);
  await until(async () => (await stored().get({ id }))?.tellAt == null);
  expect(await told("invite_declined")).toHaveLength(before + 1);
  expect((await accept(grace, (await invite(grace.email)).token)).role).toBe("viewer");
});

test("does not decline an invite that can no longer be accepted", async () => {
  const [grace, alan] = [await person(), await person()];
  const [used, old, gone] = [await invite(grace.email), await invite(alan.email), await invite("c@example.com")];
  await accept(grace, used.token);
  await expire(old.id);
  await node.act(owner, "workspaces.invites.remove", { workspaceId, inviteId: gone.id });
  await expect(decline(used.token)).rejects.toEqual(refusal("invite_used"));
  await expect(decline(old.token)).rejects.toEqual(refusal("invite_expired"));
  for (const token of [gone.token, "x"]) await expect(decline(token)).rejects.toEqual(refusal("not_found"));
  expect(await roleOf(grace)).toBe("viewer");
});

test("does one of two things if it is accepted and declined at the same moment", async () => {
  for (let round = 0; round < 5; round++) {
    const who = await person();
    const { token } = await invite(who.email);
    const [accepted, declined] = await Promise.allSettled([accept(who, token), decline(token)]);
    expect([accepted.status, declined.status].sort()).toEqual(["fulfilled", "rejected"]);
    expect(await roleOf(who)).toBe(accepted.status === "fulfilled" ? "viewer" : null);
  }
});
