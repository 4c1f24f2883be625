import type { Collection, CollectionSpec, Doc } from "../../adapters/store/port.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import identity from "../../services/identity/identity.service.ts";
import { ownDataDir, type ServiceNode, startServices } from "../support/service-node.ts";

ownDataDir();
process.env.SMTP_URL = "smtp://127.0.0.1:1";
process.env.MAIL_FROM = "weft@example.com";

const ROUNDS = 20;
const password = "correct horse battery";
const hashing: string[] = [];
jest.mock("@node-rs/argon2", () => {
  const real = jest.requireActual<Record<"hash" | "verify", (...given: unknown[]) => unknown>>("@node-rs/argon2");
  const counted =
    (name: "hash" | "verify") =>
    (...given: unknown[]) => (hashing.push(name), real[name](...given));
  return { hash: counted("hash"), verify: counted("verify") };
});

let node: ServiceNode;
const work: string[] = [];
beforeAll(async () => {
  node = await startServices(identity);
  const { store } = node.service<WithStore>("identity");
  const plain = store.global.bind(store);
  // Every call of the store that a request waits for.
  store.global = <T extends Doc>(spec: CollectionSpec<T>): Collection<T> =>
    new Proxy(plain(spec), {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== "function") return member;
        // Entries of an account's log are written behind the answer.
        if (spec.name !== "accountEvents") work.push(`${spec.name}.${String(name)}`);
        return member.bind(target) as unknown;
      },
    });
  await node.act(null, "identity.register", { email: "known@example.com", password });
});
afterAll(() => node.stop());

/** What a request does up to its answer: its hashes, and its calls of the store. */
async function workOf(request: () => Promise<unknown>): Promise<string> {
  work.length = hashing.length = 0;
  const outcome = await request().then(
    () => "done",
    (error: { type: string }) => error.type,
  );
  return [outcome, ...hashing, ...work].join(" ");
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

// What runs beside requests is stopped, so that only a request's own work is counted.
beforeAll(async () => {
  const { forgotten, sweeper } = node.service<Record<"forgotten" | "sweeper", { stop(): Promise<void> }>>("identity");
  await Promise.all([forgotten.stop(), sweeper.stop()]);
});

it("a sign-in does the same work whether the address has an account", async () => {
  const login = (email: string) => node.act(null, "identity.login", { email, password: "not the right password" });
  const { known, unknown } = await compared(login);
  expect([...known]).toEqual(["invalid_credentials verify users.get"]);
  expect(unknown).toEqual(known);
});

it("so does a request for a mail that resets the password", async () => {
  const { known, unknown } = await compared(email => node.act(null, "identity.password.forgot", { email }));
  expect([...known]).toEqual(["done resetRequests.count resetRequests.insert"]);
  expect(unknown).toEqual(known);
});

it("a registration hashes and inserts, whether the address is taken or not", async () => {
  const register = (email: string) => node.act(null, "identity.register", { email, password });
  const { known, unknown } = await compared(register);
  const upToInsert = (all: Set<string>) =>
    new Set([...all].map(one => one.replace(/^\w+ /, "").replace(/(users\.insert).*/, "$1")));
  expect([...upToInsert(known)]).toEqual(["hash users.count users.insert"]);
  expect(upToInsert(unknown)).toEqual(upToInsert(known));
});
