import { v7 as uuid } from "uuid";
import type { ProvedPerson } from "../../adapters/oauth/oidc.ts";
import identity from "../../services/identity/identity.service.ts";
import type { Doc } from "../../adapters/store/port.ts";
import {
  passkeys,
  providerLinks,
  recoveries,
  sessions,
  totps,
  type UserDoc,
  users,
} from "../../services/identity/model.ts";
import type { FactorSelf } from "../../services/identity/second-factor.ts";
import { accountOf, newLink } from "../../services/identity/sso-account.ts";
import { beginAttempt } from "../../services/identity/sso-attempt.ts";
import type { Provider, SsoSelf } from "../../services/identity/sso-providers.ts";
import { cutOffStore, killedBeforeEachWrite } from "../support/cut-off-store.ts";
import { ownDataDir, refusal, type ServiceNode, userIdentity, startServices } from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
let self: SsoSelf & FactorSelf;
beforeAll(async () => {
  node = await startServices(identity);
  self = node.service<SsoSelf & FactorSelf>("identity");
});
afterAll(() => node.stop());

type Owned = Doc & { userId: string };
type Entering = Parameters<typeof accountOf>[1];
const asking = { params: {}, headers: {} } as Entering;

const provider = (settings: Partial<Provider["settings"]> = {}) =>
  ({ settings: { id: "real", name: "Real", register: true, linkByEmail: false, ...settings } }) as Provider;
const addressOf = (name: string) => `${name}@example.com`;
const person = (name: string): ProvedPerson => ({
  issuer: "https://id.example.com",
  subject: name,
  email: addressOf(name),
  emailVerified: true,
  name,
  groups: [],
  severalFactors: false,
  sid: undefined,
});

const enter = (who: ProvedPerson, settings?: Partial<Provider["settings"]>) =>
  accountOf(self, asking, provider(settings), who, undefined);
const linksOf = async ({ subject }: ProvedPerson) =>
  (await self.store.global(providerLinks).find({ subject }, { limit: 10 })).items;

/** A sign-in that is interrupted between the two writes that create an account. */
async function cutOff(who: ProvedPerson): Promise<void> {
  const { store } = self;
  self.store = cutOffStore(store, 1);
  await expect(enter(who)).rejects.toThrow("killed");
  self.store = store;
}

async function registered(email: string): Promise<UserDoc> {
  const now = new Date();
  const user = { id: uuid(), email, name: null, passwordHash: "hash of a password", createdAt: now, updatedAt: now };
  return self.store.global(users).insert(user);
}

/** An account with a session, both second factors and a provider, which belong to the person who registered it. */
async function withAllWaysIn(email: string): Promise<UserDoc> {
  const { store } = self;
  const user = await registered(email);
  const { id: userId } = user;
  const createdAt = new Date();
  const dates = { createdAt, updatedAt: createdAt, expiresAt: new Date(createdAt.getTime() + 3_600_000) };
  await store.global(sessions).insert({ id: uuid(), userId, refreshHash: uuid(), ...dates });
  const key = { publicKey: "key", counter: 0, transports: [], synced: false, createdAt };
  await store.global(passkeys).insert({ id: uuid(), userId, name: "Key", credentialId: uuid(), ...key });
  const secret = self.totpSealer.seal("secret", userId);
  await store.global(totps).insert({ id: userId, secret, recovery: [], failures: 0, version: 0, createdAt });
  await store.global(recoveries).insert({ id: userId, hashes: ["hash"], version: 0 });
  await store.global(providerLinks).insert(newLink(userId, provider(), person(uuid())));
  return user;
}

it("a sign-in that is interrupted while it creates an account is completed by the next one", async () => {
  const ada = (writes: number) => person(`ada-${writes}`);
  await killedBeforeEachWrite(
    self,
    writes => enter(ada(writes)),
    async writes => {
      const user = await enter(ada(writes));
      expect(user).toMatchObject({ email: ada(writes).email, noPassword: true });
      expect((await enter(ada(writes))).id).toBe(user.id);
      expect(await linksOf(ada(writes))).toMatchObject([{ userId: user.id }]);
    },
  );
});

it("sign-ins at the same moment after an interrupted one create one account", async () => {
  const bob = person("bob");
  await cutOff(bob);
  const entered = await Promise.allSettled([enter(bob), enter(bob), enter(bob)]);
  const ids = entered.flatMap(one => (one.status === "fulfilled" ? [one.value.id] : []));
  expect(new Set(ids).size).toBe(1);
  expect(await self.store.global(users).count({ email: addressOf("bob") })).toBe(1);
  for (const one of entered) if (one.status === "rejected") expect(one.reason).toEqual(refusal("conflict"));
});

it("a link without an account gives no way into an account that was registered with its address", async () => {
  const eve = person("eve");
  await cutOff(eve);
  const other = await registered(addressOf("eve"));
  await expect(enter(eve)).rejects.toEqual(refusal("sso_not_linked"));
  // A provider whose addresses are trusted gives the account of the address to the person.
  expect((await enter(eve, { linkByEmail: true })).id).toBe(other.id);
  expect(await linksOf(eve)).toMatchObject([{ userId: other.id }]);
});

it("an interrupted takeover of an account is completed by the next sign-in", async () => {
  const carl = (writes: number) => person(`carl-${writes}`);
  let owner: UserDoc;
  await killedBeforeEachWrite(
    self,
    writes => enter(carl(writes), { linkByEmail: true }),
    async writes => {
      const user = await enter(carl(writes), { linkByEmail: true });
      expect(user).toMatchObject({ id: owner.id, noPassword: true });
      expect(user.passwordHash).not.toBe(owner.passwordHash);
      expect(await linksOf(carl(writes))).toMatchObject([{ userId: owner.id }]);
      for (const all of [sessions, passkeys])
        expect(await self.store.global<Owned>(all).count({ userId: owner.id })).toBe(0);
      for (const all of [totps, recoveries]) expect(await self.store.global<Doc>(all).get({ id: owner.id })).toBeNull();
    },
    async writes => {
      await cutOff(carl(writes));
      owner = await withAllWaysIn(addressOf(carl(writes).subject));
    },
  );
});

it("a link without an account does not keep its person from linking the provider to another account", async () => {
  const dora = person("dora");
  await cutOff(dora);
  const { id: userId } = await registered("dora@example.org");
  const of = provider();
  const client = {
    authorizeUrl: () => Promise.resolve("https://id.example.com/authorize"),
    prove: () => Promise.resolve(dora),
  };
  self.providers = new Map([["real", { ...of, client: client as unknown as Provider["client"] }]]);
  const link = async (asker: string) => {
    const { attempt } = await beginAttempt(self, "real", asking, { userId: asker });
    return node.act(userIdentity(asker), "identity.providers.finish", { provider: "real", attempt, query: "" });
  };
  expect(await link(userId)).toMatchObject({ provider: "real" });
  expect(await linksOf(dora)).toMatchObject([{ userId }]);
  expect((await enter(dora)).id).toBe(userId);
  const { id: other } = await registered("other@example.org");
  await expect(link(other)).rejects.toEqual(refusal("sso_linked_elsewhere"));
});
