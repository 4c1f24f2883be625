import { AsyncLocalStorage } from "node:async_hooks";
import { v7 as uuid } from "uuid";
import type { Store } from "../../adapters/store/port.ts";
import type { UserIdentity } from "../../contracts/entities/user.ts";
import identity from "../../services/identity/identity.service.ts";
import { passkeys, providerLinks, sessions, users } from "../../services/identity/model.ts";
import type { SsoSelf } from "../../services/identity/sso-providers.ts";
import { killedBeforeEachWrite } from "../support/cut-off-store.ts";
import { ownDataDir, refusal, type ServiceNode, startServices } from "../support/service-node.ts";

ownDataDir();
Object.assign(process.env, { OIDC_ONE_ISSUER: "http://127.0.0.1:1", OIDC_ONE_CLIENT_ID: "weft" });

let node: ServiceNode;
let self: SsoSelf;
beforeAll(async () => {
  node = await startServices(identity);
  self = node.service<SsoSelf>("identity");
});
afterAll(() => node.stop());

type Kind = "providers" | "passkeys";
interface Person {
  me: UserIdentity;
  ways: { kind: Kind; id: string }[];
}

/** A person without a password, who has just signed in and may do so by each of these. */
async function personWith(...kinds: Kind[]): Promise<Person> {
  const [userId, sessionId, now] = [uuid(), uuid(), new Date()];
  const dates = { createdAt: now, updatedAt: now };
  const { store } = self;
  const user = { id: userId, email: `${userId}@example.com`, name: null, passwordHash: "", noPassword: true };
  await store.global(users).insert({ ...user, ...dates });
  const expiresAt = new Date(now.getTime() + 3_600_000);
  await store.global(sessions).insert({ id: sessionId, userId, refreshHash: uuid(), ...dates, expiresAt });
  const ways = kinds.map(kind => ({ kind, id: uuid() }));
  for (const { kind, id } of ways) {
    const way = { id, userId, createdAt: now };
    const link = { ...way, provider: "one", issuer: "https://one.example.com", subject: id, email: null };
    const key = { ...way, name: "Key", credentialId: id, publicKey: "key", counter: 0, transports: [], synced: false };
    await (kind === "providers" ? store.global(providerLinks).insert(link) : store.global(passkeys).insert(key));
  }
  return { me: { kind: "user", userId, sessionId }, ways };
}

const remove = ({ me }: Person, { kind, id }: Person["ways"][number]) =>
  node.act(me, `identity.${kind}.remove`, { id });
async function left({ me: { userId } }: Person): Promise<number> {
  const { store } = self;
  return (await store.global(providerLinks).count({ userId })) + (await store.global(passkeys).count({ userId }));
}

const WRITES = new Set(["insert", "updateOne", "updateMany", "remove"]);

/** The store, whose writes wait for `gate` first. */
const gated = (store: Store, gate: () => Promise<void>): Store => ({
  ...{ register: store.register.bind(store), tenant: store.tenant.bind(store), ping: store.ping.bind(store) },
  ...{ space: store.space.bind(store) },
  ...{ acrossTenants: store.acrossTenants.bind(store), embedded: store.embedded, close: store.close.bind(store) },
  write: async ops => (await gate(), store.write(ops)),
  global: spec =>
    new Proxy(store.global(spec), {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        const bound = member.bind(target) as (...given: unknown[]) => unknown;
        return WRITES.has(String(name)) ? async (...given: unknown[]) => (await gate(), bound(...given)) : bound;
      },
    }),
});

/** Two removals that both come to their first write before either makes one. The one of `order[0]` writes first. */
async function together(person: Person, order: readonly [number, number]): Promise<PromiseSettledResult<null>[]> {
  const { store } = self;
  const request = new AsyncLocalStorage<number>();
  const waiting = new Map<number, () => void>();
  let arrived = () => {};
  const both = new Promise<void>(resolve => (arrived = resolve));
  self.store = gated(store, () => {
    // Writes of the service's own upkeep carry no removal and pass.
    const way = request.getStore();
    if (way === undefined || waiting.has(way)) return Promise.resolve();
    return new Promise(resolve => {
      waiting.set(way, resolve);
      if (waiting.size === 2) arrived();
    });
  });
  try {
    const running = person.ways.map((way, at) => request.run(at, () => remove(person, way)));
    await both;
    for (const at of order) {
      waiting.get(at)!();
      await running[at]!.catch(() => undefined);
    }
    return await Promise.allSettled(running);
  } finally {
    self.store = store;
  }
}

describe.each<[Kind, Kind]>([
  ["providers", "providers"],
  ["providers", "passkeys"],
  ["passkeys", "passkeys"],
])("of the last two ways to sign in, %s and %s,", (...kinds) => {
  it.each<[number, number]>([
    [0, 1],
    [1, 0],
  ])("one remains if two concurrent requests remove one each, in the order %i, %i", async (...order) => {
    const person = await personWith(...kinds);
    const outcomes = await together(person, order);
    expect(outcomes[order[0]]).toMatchObject({ status: "fulfilled" });
    expect(outcomes[order[1]]).toMatchObject({ status: "rejected", reason: { type: "last_way_in" } });
    expect(await left(person)).toBe(1);
    await expect(remove(person, person.ways[order[1]]!)).rejects.toEqual(refusal("last_way_in"));
  });
});

it("concurrent removals leave one way to sign in, and remove all others", async () => {
  const person = await personWith(...Array.from({ length: 6 }, (_, at): Kind => (at % 2 ? "passkeys" : "providers")));
  const outcomes = await Promise.allSettled(person.ways.map(way => remove(person, way)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(await left(person)).toBe(1);
});

it("a link to a provider that is no longer configured does not count as a way to sign in", async () => {
  const person = await personWith("providers", "providers");
  const [gone, last] = person.ways;
  await self.store.global(providerLinks).updateOne({ id: gone!.id }, { $set: { provider: "former" } });
  await expect(remove(person, last!)).rejects.toEqual(refusal("last_way_in"));
  await remove(person, gone!);
});

it("an interrupted removal is completed by the next one, and always leaves one way to sign in", async () => {
  const people: Person[] = [];
  await killedBeforeEachWrite(
    self,
    writes => remove(people[writes]!, people[writes]!.ways[0]!),
    async writes => {
      const person = people[writes]!;
      const [first, second] = person.ways;
      expect(await left(person)).toBeGreaterThan(0);
      const other = await remove(person, second!).then(
        () => "removed",
        (error: { type: string }) => error.type,
      );
      expect(await left(person)).toBe(1);
      // What was decided before the interruption counts, so only a removal that was not decided makes room.
      const rest = other === "removed" ? first : second;
      await expect(remove(person, rest!)).rejects.toEqual(refusal("last_way_in"));
    },
    async writes => {
      people[writes] = await personWith("providers", "passkeys");
    },
  );
});
