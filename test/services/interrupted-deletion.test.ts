import type { ServiceSchema } from "moleculer";
import { v7 as uuid } from "uuid";
import type { Store } from "../../adapters/store/port.ts";
import type { UserIdentity } from "../../contracts/entities/user.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import identity from "../../services/identity/identity.service.ts";
import * as accounts from "../../services/identity/model.ts";
import { sweepUsers } from "../../services/identity/remove-user.ts";
import { notifications as notices } from "../../services/notifications/model.ts";
import notifications from "../../services/notifications/notifications.service.ts";
import { invites, members, views, workspaces as spaces } from "../../services/workspaces/model.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import { cutOffStore, KILLED } from "../support/cut-off-store.ts";
import { ownDataDir, type ServiceNode, startServices } from "../support/service-node.ts";

ownDataDir();
const MINUTE_MS = 60_000;
const NAMES = ["identity", "workspaces", "notifications"] as const;

/** What other services were asked to forget. */
const forgotten: string[] = [];
const others: ServiceSchema[] = [
  {
    name: "memory",
    actions: { forgetUser: ctx => (forgotten.push(`memory ${(ctx.params as { userId: string }).userId}`), null) },
  },
  { name: "workflows", actions: { "drafts.purge": () => null } },
];

let node: ServiceNode;
let store: Store;
beforeAll(async () => {
  node = await startServices(identity, workspaces, notifications, ...others);
  ({ store } = node.service<WithStore>("identity"));
  // The test decides when sweeps run.
  for (const name of NAMES) await node.service<{ sweeper: { stop(): Promise<void> } }>(name).sweeper.stop();
});
afterAll(() => node.stop());

/** Gives all services this store, as if they were one process. */
const use = (given: Store) => NAMES.forEach(name => (node.service<WithStore>(name).store = given));

interface Person {
  me: UserIdentity;
  /** A workspace of another person, and one of this person alone. */
  shared: string;
  own: string;
}

/** A person without a password who has left something in every collection. */
async function personWithTraces(): Promise<Person> {
  const [userId, sessionId, other, shared, own, now] = [uuid(), uuid(), uuid(), uuid(), uuid(), new Date()];
  const dates = { createdAt: now, updatedAt: now };
  const expiresAt = new Date(now.getTime() + 60 * MINUTE_MS);
  const user = { id: userId, email: `${userId}@example.com`, name: "Ada", passwordHash: "", noPassword: true };
  const ofUser = { id: uuid(), userId, createdAt: now };
  const key = { name: "Key", credentialId: uuid(), publicKey: "key", counter: 0, transports: [], synced: false };
  const totp = { secret: "sealed", recovery: [], failures: 0, version: 0, createdAt: now };
  const link = { provider: "one", issuer: "https://one.example.com", subject: userId, email: null };
  const notice = { seq: 1, key: "key", type: "invite" as const, expiresAt };
  await store.write([
    store.global(accounts.users).ops.insert({ ...user, ...dates }),
    store.global(accounts.sessions).ops.insert({ id: sessionId, userId, refreshHash: uuid(), ...dates, expiresAt }),
    store.global(accounts.passwordResets).ops.insert({ ...ofUser, expiresAt }),
    store
      .global(accounts.emailChanges)
      .ops.insert({ ...ofUser, email: "next@example.com", former: user.email, expiresAt }),
    store.global(accounts.providerLinks).ops.insert({ ...ofUser, ...link }),
    store.global(accounts.passkeys).ops.insert({ ...ofUser, ...key }),
    store.global(accounts.totps).ops.insert({ id: userId, ...totp }),
    store.global(accounts.recoveries).ops.insert({ id: userId, hashes: ["hash"], version: 0 }),
    store.global(accounts.accountEvents).ops.insert({ id: uuid(), userId, type: "signed_in" }),
    store.global(notices).ops.insert({ ...ofUser, ...notice }),
  ]);
  for (const [workspaceId, owner] of [
    [shared, other],
    [own, userId],
  ] as const) {
    const people = owner === userId ? [userId] : [owner, userId];
    const member = (id: string) => ({ userId: id, role: id === owner ? ("owner" as const) : ("editor" as const) });
    await store.global(spaces).insert({ id: workspaceId, name: "Space", slug: workspaceId, ...dates });
    const all = store.tenant(members, workspaceId);
    for (const id of people) await all.insert({ id: uuid(), workspaceId, ...member(id), ...dates });
    const mine = { id: uuid(), workspaceId, createdAt: now };
    const view = { name: "Mine", page: "runs", query: "", shared: false, createdBy: userId };
    await store.tenant(views, workspaceId).insert({ ...mine, ...view });
    const invite = { email: "guest@example.com", role: "viewer" as const, hash: uuid(), invitedBy: userId };
    await store.tenant(invites, workspaceId).insert({ ...mine, ...invite, expiresAt, pending: true });
    const apiKey = { name: "CI", role: "viewer" as const, hash: uuid(), createdBy: userId, memberId: uuid() };
    await store.tenant(accounts.apiKeys, workspaceId).insert({ ...mine, ...apiKey });
  }
  return { me: { kind: "user", userId, sessionId }, shared, own };
}

/** How much is left that names the person, by collection. */
async function leftOf({ me: { userId }, shared, own }: Person): Promise<Record<string, number>> {
  const { users, totps, recoveries, apiKeys, ...rest } = accounts;
  const ofUser = [
    rest.sessions,
    rest.passwordResets,
    rest.emailChanges,
    rest.providerLinks,
    rest.passkeys,
    rest.accountEvents,
  ];
  const counts: Record<string, number> = {};
  for (const spec of [users, totps, recoveries])
    counts[spec.name] = await store.global(spec as typeof users).count({ id: userId });
  for (const spec of ofUser) counts[spec.name] = await store.global(spec as typeof rest.sessions).count({ userId });
  counts.notifications = await store.global(notices).count({ userId });
  counts.apiKeys = await store.acrossTenants(apiKeys).count({ createdBy: userId });
  counts.members = await store.acrossTenants(members).count({ userId });
  counts.views = await store.tenant(views, shared).count({ createdBy: userId });
  counts.invites = await store.tenant(invites, shared).count({ invitedBy: userId });
  counts["live workspaces"] = await store.global(spaces).count({ id: own, purgeAt: null });
  return counts;
}

const isNobody = (counts: Record<string, number>) => Object.values(counts).every(count => count === 0);

/** The sweep of a node, `minutes` after the deletion: what belonged to the person is purged twice. */
const sweep = (minutes: number) =>
  sweepUsers(node.service<WithStore>("identity"), new Date(Date.now() + minutes * MINUTE_MS));

async function deleted({ me }: Person): Promise<void> {
  await node.act(me, "identity.removeMe", {});
  await sweep(1);
  await sweep(3);
}

it("removes all data of the person, and keeps the data of other members", async () => {
  const person = await personWithTraces();
  expect(Object.values(await leftOf(person)).every(count => count > 0)).toBe(true);
  await deleted(person);
  expect(await leftOf(person)).toEqual(Object.fromEntries(Object.keys(await leftOf(person)).map(name => [name, 0])));
  expect(forgotten).toContain(`memory ${person.me.userId}`);
  expect(await store.tenant(members, person.shared).count({})).toBe(1);
});

describe.each([
  ["a process that is killed", Infinity],
  ["a write that fails once", 1],
])("a deletion by %s", (_, failures) => {
  it("is completed later if it is interrupted before any of its writes", async () => {
    let writes = 0;
    for (let hasFailed = true; hasFailed; writes++) {
      hasFailed = false;
      const person = await personWithTraces();
      use(cutOffStore(store, writes, failures, () => (hasFailed = true)));
      try {
        await deleted(person).catch((error: Error) => expect(error.message).toContain(KILLED));
      } finally {
        use(store);
      }
      // A person who was told of a failure asks again. One who was told of a success has no session to ask with.
      const isBuried = (await store.global(accounts.users).count({ id: person.me.userId, purgeAt: null })) === 0;
      if (!isBuried) await deleted(person);
      await sweep(5);
      await sweep(7);
      const left = await leftOf(person);
      expect({ writes, left: isNobody(left) ? {} : left }).toEqual({ writes, left: {} });
    }
    expect(writes).toBeGreaterThan(20);
  });
});
