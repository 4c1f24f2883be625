import type { Collection, CollectionSpec, Doc, Store } from "../../adapters/store/port.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import identity from "../../services/identity/identity.service.ts";
import { ownDataDir, type ServiceNode, startServices } from "../support/service-node.ts";

ownDataDir();
process.env.SMTP_URL = "smtp://127.0.0.1:1";
process.env.MAIL_FROM = "weft@example.com";

const ROUNDS = 20;
const ADDRESS = "192.0.2.7";
const password = "correct horse battery";
/** Everything that was done for a request: hashes, calls of the store, and calls of other services. */
const work: string[] = [];
jest.mock("@node-rs/argon2", () => {
  const real = jest.requireActual<Record<"hash" | "verify", (...given: unknown[]) => unknown>>("@node-rs/argon2");
  const counted =
    (name: "hash" | "verify") =>
    (...given: unknown[]) => (work.push(name), real[name](...given));
  return { hash: counted("hash"), verify: counted("verify") };
});
/** The fault that these tests are about: an address without an account is refused before a password is hashed. */
let isFaulty = false;
jest.mock("../../services/identity/password.ts", () => {
  const real = jest.requireActual<Record<string, () => Promise<string>>>("../../services/identity/password.ts");
  const refuse = () => Promise.reject(Object.assign(new Error("Nobody"), { type: "invalid_credentials" }));
  return { ...real, decoyHash: () => (isFaulty ? refuse() : real.decoyHash!()) };
});

let node: ServiceNode;
/** Work behind answers that is under way. */
let underWay = 0;

/** The collection, whose calls are counted. */
function counted<T extends Doc>(all: Collection<T>, name: string): Collection<T> {
  return new Proxy(all, {
    get(target, key) {
      const member = Reflect.get(target, key) as unknown;
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        work.push(`${name}.${String(key)}`);
        underWay++;
        const done = (member as (...given: unknown[]) => Promise<unknown>).apply(target, given);
        return done.finally(() => underWay--);
      };
    },
  });
}

beforeAll(async () => {
  const idsOf = () => {
    work.push("workspaces.idsOf");
    return { ids: [] };
  };
  node = await startServices(identity, { name: "workspaces", actions: { idsOf } });
  await node.act(null, "identity.register", { email: "known@example.com", password });
  // What runs beside requests is stopped, so that only a request's own work is counted.
  const { forgotten, sweeper, store } = node.service<
    WithStore & Record<"forgotten" | "sweeper", { stop(): Promise<void> }>
  >("identity");
  await Promise.all([forgotten.stop(), sweeper.stop()]);
  const [global, write] = [store.global.bind(store), store.write.bind(store)];
  Object.assign(store, {
    global: <T extends Doc>(spec: CollectionSpec<T>) => counted(global(spec), spec.name),
    write: (ops: Parameters<Store["write"]>[0]) => (work.push(`write ${ops.length}`), write(ops)),
  });
});
afterAll(() => node.stop());

/** What a request does, also behind its answer. The work behind answers begins in the next turns of the event loop. */
async function workOf(request: () => Promise<unknown>): Promise<string> {
  work.length = 0;
  const outcome = await request().then(
    () => "done",
    (error: { type: string }) => error.type,
  );
  const answered = work.length;
  for (let quiet = 0; quiet < 10; quiet = underWay === 0 ? quiet + 1 : 0) await new Promise(setImmediate);
  return [outcome, ...work.slice(0, answered), "|", ...work.slice(answered).sort()].join(" ");
}

/** The work for an address that has an account, and for others. */
async function compared(request: (email: string) => Promise<unknown>) {
  const seen = { known: new Set<string>(), unknown: new Set<string>() };
  for (let round = 0; round < ROUNDS; round++) {
    seen.known.add(await workOf(() => request("known@example.com")));
    seen.unknown.add(await workOf(() => request(`unknown${round}@example.com`)));
  }
  return seen;
}
const login = (email: string) => node.act(null, "identity.login", { email, password: "not the right password" });

it("a sign-in does the same work with and without an account, also after the answer", async () => {
  const { known, unknown } = await compared(login);
  const behind = "accountEvents.count accountEvents.insert workspaces.idsOf";
  expect([...known]).toEqual([`invalid_credentials users.get verify | ${behind}`]);
  expect(unknown).toEqual(known);
});

it("the check detects a sign-in that hashes nothing for an address without an account", async () => {
  isFaulty = true;
  try {
    const { known, unknown } = await compared(login);
    expect([...known][0]).toContain("verify");
    expect([...unknown][0]).not.toContain("verify");
    expect([...unknown][0]).toMatch(/^invalid_credentials /);
  } finally {
    isFaulty = false;
  }
});

it("the limits on guesses read the same with and without an account", async () => {
  const asked = (email: string) => node.act(null, "identity.knowsAddress", { email, address: ADDRESS });
  const { known, unknown } = await compared(asked);
  expect([...known]).toEqual(["done users.get accountEvents.get |"]);
  expect(unknown).toEqual(known);
});

it("a request to reset the password does the same work with and without an account", async () => {
  const { known, unknown } = await compared(email => node.act(null, "identity.password.forgot", { email }));
  expect([...known]).toEqual(["done resetRequests.count resetRequests.insert |"]);
  expect(unknown).toEqual(known);
});

it("a registration hashes and inserts, whether or not the address is taken", async () => {
  const register = (email: string) => node.act(null, "identity.register", { email, password });
  const { known, unknown } = await compared(register);
  const upToInsert = (all: Set<string>) =>
    new Set([...all].map(one => one.replace(/^\w+ /, "").replace(/(users\.insert).*/, "$1")));
  expect([...upToInsert(known)]).toEqual(["users.count hash users.insert"]);
  expect(upToInsert(unknown)).toEqual(upToInsert(known));
});
