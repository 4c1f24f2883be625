import type { Context, Service, ServiceSchema } from "moleculer";
import type { ParamsOf } from "../../contracts/actions.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import type { Role } from "../../contracts/primitives.ts";
import { outboxOf } from "../../service-kit/outbox.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import identity from "../../services/identity/identity.service.ts";
import pods from "../../services/pods/pods.service.ts";
import { departures, removals, roleChanges } from "../../services/workspaces/membership-notices.ts";
import { members } from "../../services/workspaces/model.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { addMember } from "../support/add-member.ts";
import { ownDataDir, type ServiceNode, userIdentity, startServices, until } from "../support/service-node.ts";

ownDataDir();

type Told = ParamsOf<"notifications.notify">;
let told: Told[] = [];
/** Asked before each notification is taken. */
let taking: () => void | Promise<void> = () => {};
const notifications: ServiceSchema = {
  name: "notifications",
  actions: {
    async notify(ctx: Context<Told>) {
      await taking();
      told.push(ctx.params);
      return { notified: 1 };
    },
  },
};
const down = () => {
  throw new Error("notifications are down");
};

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(identity, workspaces, pods, notifications)));
afterAll(() => node.stop());

let ada: Identity;
let bob: Identity;
let workspaceId: string;
beforeEach(async () => {
  await idle();
  told = [];
  taking = () => {};
  ada = userIdentity();
  ({ id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Looms" }));
  bob = await addMember(node, workspaceId, "editor");
});

const setRole = (as: Identity, who: Identity, role: Role) =>
  node.act(as, "workspaces.updateMember", { workspaceId, userId: who.userId, role });
const remove = (as: Identity, who: Identity) =>
  node.act(as, "workspaces.removeMember", { workspaceId, userId: who.userId });
const self = () => node.service<Service & WithStore & WithOutbox>("workspaces");
const store = () => self().store;
const waiting = async () => {
  const due = { tellAt: { $exists: true } };
  return (await store().acrossTenants(members).count(due)) + (await store().acrossTenants(departures).count({}));
};
const idle = () => until(async () => (await waiting()) === 0);
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
async function sweep(now: Date): Promise<void> {
  for (const outbox of [roleChanges, removals]) await outbox.call(self(), now);
}

test("a member is notified once of a new role and of their removal", async () => {
  await setRole(ada, bob, "admin");
  await idle();
  await remove(ada, bob);
  await idle();
  await sweep(inMinutes(60));
  const to = { userIds: [bob.userId] };
  expect(told).toMatchObject([
    { type: "role_changed", workspaceId, title: "Your role is now admin in Looms", to },
    { type: "member_removed", workspaceId, title: "You were removed from Looms", to },
  ]);
  expect(told[0]!.key).not.toBe(told[1]!.key);
});

test("members are not notified of their own changes, nor of changes without effect", async () => {
  await setRole(ada, bob, "admin");
  await idle();
  told = [];
  await setRole(ada, bob, "admin");
  await setRole(bob, bob, "viewer");
  await remove(bob, bob);
  await idle();
  await sweep(inMinutes(60));
  expect(told).toEqual([]);
});

test("a change succeeds while notifications are unavailable, and a later sweep sends its notification", async () => {
  let failures = 0;
  taking = () => {
    failures++;
    return down();
  };
  const carol = await addMember(node, workspaceId, "viewer");
  expect((await setRole(ada, bob, "viewer")).role).toBe("viewer");
  await remove(ada, carol);
  await until(() => failures >= 2);
  expect(await waiting()).toBe(2);
  taking = () => {};
  await sweep(inMinutes(1));
  expect(told.map(({ type }) => type).sort()).toEqual(["member_removed", "role_changed"]);
  expect(await waiting()).toBe(0);
});

test("when a node dies while it notifies, another node notifies under the same key", async () => {
  const keys: string[] = [];
  let reached = () => {};
  const begun = new Promise<void>(resolve => (reached = resolve));
  let release = () => {};
  const held = new Promise<void>(resolve => (release = resolve));
  taking = async () => {
    reached();
    await held;
  };
  await setRole(ada, bob, "viewer");
  await begun;
  taking = () => {};
  // Another node looks at once, and again when the first one must be gone.
  await roleChanges.call(self(), new Date());
  expect(told).toEqual([]);
  await roleChanges.call(self(), inMinutes(5));
  keys.push(...told.map(({ key }) => key));
  release();
  await until(() => told.length === 2);
  expect(told[1]!.key).toBe(keys[0]);
});

test("a change during the notification of the previous one is notified too", async () => {
  taking = async () => {
    taking = () => {};
    await setRole(ada, bob, "admin");
  };
  await setRole(ada, bob, "viewer");
  await until(() => told.length === 2);
  expect(told.map(({ title }) => title)).toEqual([
    "Your role is now viewer in Looms",
    "Your role is now admin in Looms",
  ]);
});

test("a removal that did not happen is not notified", async () => {
  const now = new Date();
  const { userId } = bob;
  await store()
    .tenant(departures, workspaceId)
    .insert({ id: `${userId}-leaving`, workspaceId, userId, tellAt: now });
  await sweep(now);
  expect(told).toEqual([]);
  expect(await waiting()).toBe(0);
});

test("a deleted workspace sends no notifications", async () => {
  taking = down;
  await setRole(ada, bob, "viewer");
  await node.act(ada, "workspaces.remove", { workspaceId });
  taking = () => {};
  await sweep(inMinutes(1));
  expect(told).toEqual([]);
});

test("a notification that is rejected permanently is dropped, and does not delay the others", async () => {
  const outbox = outboxOf({
    collection: departures,
    once: true,
    notices: ({ userId }) =>
      Promise.resolve([{ key: userId, type: "message", title: userId === "bad" ? "" : "ok", to: { role: "viewer" } }]),
  });
  const all = store().tenant(departures, workspaceId);
  const tellAt = inMinutes(10);
  for (const userId of ["bad", "good"]) await all.insert({ id: userId, workspaceId, userId, tellAt });
  const error = jest.spyOn(self().logger, "error");
  await outbox.call(self(), tellAt);
  expect(told.map(({ key }) => key)).toEqual(["good"]);
  expect(error).toHaveBeenCalledTimes(1);
  expect(await all.count({})).toBe(0);
});
