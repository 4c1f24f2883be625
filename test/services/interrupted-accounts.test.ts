import { v7 as uuid } from "uuid";
import type { UserIdentity } from "../../contracts/entities/user.ts";
import identity from "../../services/identity/identity.service.ts";
import {
  type EmailChangeDoc,
  emailChanges,
  passkeys,
  passwordResets,
  recoveries,
  sessions,
  totps,
  users,
} from "../../services/identity/model.ts";
import { hashPassword } from "../../services/identity/password.ts";
import { makeRecoveryCodes } from "../../services/identity/make-recovery-codes.ts";
import { activeTotp, type FactorSelf } from "../../services/identity/second-factor.ts";
import { takeRecoveryCode } from "../../services/identity/use-recovery-codes.ts";
import type { Provider, SsoSelf } from "../../services/identity/sso-providers.ts";
import { makeLinkToken } from "../../service-kit/link-token.ts";
import { Authenticator } from "../support/authenticator.ts";
import { killedBeforeEachWrite } from "../support/cut-off-store.ts";
import { ownDataDir, refusal, type ServiceNode, startServices } from "../support/service-node.ts";

/** Passkeys belong to a host, so the page has an address here that nothing answers at. */
const SITE = "http://localhost:1";
ownDataDir();
process.env.PUBLIC_URL = SITE;

let node: ServiceNode;
let self: SsoSelf & FactorSelf;
beforeAll(async () => {
  node = await startServices(identity);
  self = node.service<SsoSelf & FactorSelf>("identity");
});
afterAll(() => {
  delete process.env.PUBLIC_URL;
  return node.stop();
});

const password = "correct horse battery";
const inAnHour = () => new Date(Date.now() + 3_600_000);
const people: { me: UserIdentity; email: string }[] = [];

/** The person of a round. Each round has one of its own. */
const of = (writes: number) => people[writes]!;
/** With `passwordHash`, the account has that password. Without one, a recent session proves the person. */
async function register(writes: number, passwordHash?: string) {
  const email = `${uuid()}@example.com`;
  const [userId, sessionId, now] = [uuid(), uuid(), new Date()];
  const dates = { createdAt: now, updatedAt: now };
  const proof = passwordHash === undefined ? { passwordHash: "", noPassword: true } : { passwordHash };
  await self.store.global(users).insert({ id: userId, email, name: null, ...proof, ...dates });
  const session = { id: sessionId, userId, refreshHash: uuid(), ...dates, expiresAt: inAnHour() };
  await self.store.global(sessions).insert(session);
  people[writes] = { me: { kind: "user", userId, sessionId }, email };
  return people[writes];
}

/** Whether a recovery code of the person works. It is used up. */
async function works(userId: string, code: string): Promise<boolean> {
  return takeRecoveryCode(self, userId, await activeTotp(self, userId), code).catch(() => false);
}
const factorsOf = ({ me }: { me: UserIdentity }) => node.act(me, "identity.factors.read", {});

/** A passkey as it is stored, without an authenticator that could use it. */
const storedKey = (userId: string) => ({
  ...{ id: uuid(), userId, name: "Key", credentialId: uuid(), publicKey: "key" },
  ...{ counter: 0, transports: [], synced: false, createdAt: new Date() },
});

async function makePasskey(me: UserIdentity) {
  const { options, attempt } = await node.act(me, "identity.passkeys.begin", { password });
  const response = new Authenticator(SITE).create(options) as Record<string, unknown>;
  return { attempt, response, name: "Phone" };
}

it("a person whose first passkey was interrupted gets recovery codes that work with the next attempt", async () => {
  const answers: Awaited<ReturnType<typeof makePasskey>>[] = [];
  await killedBeforeEachWrite(
    self,
    writes => node.act(of(writes).me, "identity.passkeys.finish", answers[writes]!),
    async writes => {
      const { me } = of(writes);
      const { passkeys: made } = await factorsOf(of(writes));
      // A passkey that is stored has its codes. Its person asks for new ones, because the answer was lost.
      const { recoveryCodes } =
        made > 0
          ? await node.act(me, "identity.factors.renewCodes", { password })
          : await node.act(me, "identity.passkeys.finish", await makePasskey(me));
      expect(recoveryCodes).toHaveLength(10);
      expect(await works(me.userId, recoveryCodes![0]!)).toBe(true);
      expect(await works(me.userId, recoveryCodes![0]!)).toBe(false);
    },
    async writes => {
      answers[writes] = await makePasskey((await register(writes)).me);
    },
  );
});

it("a passkey whose removal was interrupted leaves no codes to the next one", async () => {
  const { store } = self;
  const passwordHash = await hashPassword(password);
  await killedBeforeEachWrite(
    self,
    async writes => {
      const { items } = await store.global(passkeys).find({ userId: of(writes).me.userId }, { limit: 1 });
      await node.act(of(writes).me, "identity.passkeys.remove", { id: items[0]!.id, password });
    },
    async writes => {
      const { me } = of(writes);
      const { passkeys: left } = await factorsOf(of(writes));
      if (left > 0) return;
      const { recoveryCodes } = await node.act(me, "identity.passkeys.finish", await makePasskey(me));
      expect(recoveryCodes).toHaveLength(10);
      expect(await works(me.userId, recoveryCodes![0]!)).toBe(true);
    },
    async writes => {
      const { me } = await register(writes, passwordHash);
      await store.global(passkeys).insert(storedKey(me.userId));
      await store.global(recoveries).insert({ id: me.userId, hashes: ["hash of a former code"], version: 0 });
    },
  );
});

it("codes are never missing and work once while they move from a removed authenticator app to passkeys", async () => {
  const { store } = self;
  let codes: string[];
  await killedBeforeEachWrite(
    self,
    writes => node.act(of(writes).me, "identity.factors.removeTotp", { password }),
    async writes => {
      const { me } = of(writes);
      expect(await works(me.userId, codes[0]!)).toBe(true);
      expect(await works(me.userId, codes[0]!)).toBe(false);
      if (await activeTotp(self, me.userId)) await node.act(me, "identity.factors.removeTotp", { password });
      expect(await works(me.userId, codes[0]!)).toBe(false);
      expect(await works(me.userId, codes[1]!)).toBe(true);
    },
    async writes => {
      const { me } = await register(writes);
      const { userId } = me;
      const made = makeRecoveryCodes(self.hashKey);
      ({ codes } = made);
      await store.global(passkeys).insert(storedKey(userId));
      const app = { secret: self.totpSealer.seal("secret", userId), recovery: made.hashes, failures: 0, version: 0 };
      const now = new Date();
      await store.global(totps).insert({ id: userId, ...app, confirmedAt: now, createdAt: now });
    },
  );
});

it("replaces recovery codes in one write", async () => {
  let former: string;
  await killedBeforeEachWrite(
    self,
    writes => node.act(of(writes).me, "identity.factors.renewCodes", { password }),
    async writes => {
      const { recoveryCodes } = await factorsOf(of(writes));
      expect(recoveryCodes).toBe((await works(of(writes).me.userId, former)) ? 1 : 10);
    },
    async writes => {
      const { userId } = (await register(writes)).me;
      const { codes, hashes } = makeRecoveryCodes(self.hashKey);
      former = codes[0]!;
      await self.store.global(passkeys).insert(storedKey(userId));
      await self.store.global(recoveries).insert({ id: userId, hashes: [hashes[0]!], version: 0 });
    },
  );
});

it("an interrupted change of the password leaves no session of another device under the new one", async () => {
  const next = "a wholly new horse battery";
  const passwordHash = await hashPassword(password);
  await killedBeforeEachWrite(
    self,
    writes => node.act(of(writes).me, "identity.updateMe", { password: { current: password, new: next } }),
    async writes => {
      const { me } = of(writes);
      const isChanged = (await self.store.global(users).get({ id: me.userId }))?.passwordHash !== passwordHash;
      const { items } = await self.store.global(sessions).find({ userId: me.userId }, { limit: 10 });
      if (isChanged) expect(items.map(({ id }) => id)).toEqual([me.sessionId]);
    },
    async writes => {
      const { userId } = (await register(writes, passwordHash)).me;
      const other = { id: uuid(), userId, refreshHash: uuid(), createdAt: new Date(), updatedAt: new Date() };
      await self.store.global(sessions).insert({ ...other, expiresAt: inAnHour() });
    },
  );
});

it("a logout by a provider that was interrupted is completed when the provider repeats it", async () => {
  const token = { issuer: "https://id.example.com", issuedAt: Math.floor(Date.now() / 1_000), subject: undefined };
  let round = 0;
  const client = { readLogout: () => Promise.resolve({ ...token, tokenId: `t${round}`, sid: `s${round}` }) };
  const settings = { id: "real", name: "Real" };
  self.providers = new Map([["real", { settings, client } as unknown as Provider]]);
  const logout = () => node.broker.call("identity.sso.logout", { provider: "real", token: "token" });
  const left = () => self.store.global(sessions).count({ providerSid: `s${round}` });
  await killedBeforeEachWrite(
    self,
    logout,
    async () => {
      if ((await left()) > 0) await logout();
      expect(await left()).toBe(0);
    },
    async writes => {
      round = writes;
      const dates = { createdAt: new Date(), updatedAt: new Date(), expiresAt: inAnHour() };
      const session = { refreshHash: uuid(), provider: "real", providerSid: `s${round}`, ...dates };
      for (const userId of [uuid(), uuid()])
        await self.store.global(sessions).insert({ id: uuid(), userId, ...session });
    },
  );
  // The call that completed has used up its token.
  await expect(logout()).rejects.toEqual(refusal("sso_refused"));
});

it("a change of the address that was interrupted is completed by the same link", async () => {
  const { store } = self;
  const all = store.global(emailChanges);
  const confirm = (writes: number) => {
    const token = makeLinkToken(self.hashKey, "next address", changes[writes]!.id);
    return node.act(null, "identity.email.confirm", { token });
  };
  const changes: EmailChangeDoc[] = [];
  await killedBeforeEachWrite(
    self,
    confirm,
    async writes => {
      const { id, userId, email } = changes[writes]!;
      if (await all.get({ id })) expect(await confirm(writes)).toEqual({ email, done: true });
      expect(await store.global(users).get({ id: userId })).toMatchObject({ email });
      expect(await all.get({ id })).toBeNull();
      expect(await store.global(passwordResets).count({ userId })).toBe(0);
    },
    async writes => {
      const { me, email: former } = await register(writes);
      const { userId } = me;
      const createdAt = new Date();
      const dates = { createdAt, expiresAt: inAnHour() };
      const change = { id: uuid(), userId, email: `${uuid()}@example.com`, former, formerAt: createdAt, ...dates };
      changes[writes] = await all.insert(change);
      await store.global(passwordResets).insert({ id: uuid(), userId, ...dates });
    },
  );
});
