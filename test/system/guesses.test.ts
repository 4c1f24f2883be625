import { Api } from "../support/api.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";

const password = "correct horse battery";
const PER_MINUTE = 6;
let server: Server;
let api: Api;

beforeAll(async () => {
  const env = { RATE_LIMIT_AUTH_PER_MINUTE: `${PER_MINUTE}`, TRUST_PROXY: "true" };
  server = await startServer({ env });
  api = new Api(server.url);
});
afterAll(() => removeServer(server));

const from = (address: string) => ({ "x-forwarded-for": address });
const register = (email: string, address: string) => api.post("/v1/auth/register", { email, password }, from(address));
const signIn = (email: string, given: string, address: string) =>
  api.post("/v1/auth/login", { email, password: given }, from(address));
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status);

/** Wrong passwords for one account, each from another address. */
const attack = (email: string, tries: number, net: string) =>
  Promise.all(Array.from({ length: tries }, (_, n) => signIn(email, "not the right password", `${net}.${n}`)));

it("allows an address few guesses over all accounts", async () => {
  const tries = Array.from({ length: 4 * PER_MINUTE }, (_, n) => signIn(`a${n}@example.com`, password, "192.0.2.1"));
  const answered = statuses(await Promise.all(tries)).filter(status => status === 401).length;
  expect(answered).toBeGreaterThanOrEqual(PER_MINUTE);
  // A limit that is used up comes back with time.
  expect(answered).toBeLessThan(2 * PER_MINUTE);
});

it("allows few guesses at an account from all addresses, and its owner signs in from a known one", async () => {
  const email = "ada@example.com";
  await register(email, "198.51.100.7");
  expect((await signIn(email, password, "198.51.100.7")).status).toBe(200);
  const answers = await attack(email, 20, "203.0.113");
  expect(statuses(answers).filter(status => status === 429).length).toBeGreaterThanOrEqual(20 - PER_MINUTE);
  expect((await signIn(email, password, "198.51.100.7")).status).toBe(200);
  // An account that does not exist gets as many.
  const none = await attack("no-such-person@example.com", 20, "203.0.114");
  const refused = (all: { status: number }[]) => statuses(all).filter(status => status === 429).length;
  expect(Math.abs(refused(none) - refused(answers))).toBeLessThanOrEqual(3);
  // From a known address, too, guesses are limited.
  const guesses = [];
  for (let n = 0; n < PER_MINUTE; n++) guesses.push(await signIn(email, "not the right password", "198.51.100.7"));
  expect(statuses(guesses)).toContain(429);
});

it("limits guesses at many accounts from many addresses together, except from known addresses", async () => {
  const email = "grace@example.com";
  await register(email, "198.51.100.9");
  expect((await signIn(email, password, "198.51.100.9")).status).toBe(200);
  const wave = (round: number) =>
    Promise.all(
      Array.from({ length: 60 }, (_, n) => signIn(`x${round}-${n}@example.com`, "not it at all", `10.9.${round}.${n}`)),
    );
  let refused = 0;
  for (let round = 0; refused === 0 && round < 12; round++) {
    refused = statuses(await wave(round)).filter(status => status === 429).length;
  }
  expect(refused).toBeGreaterThan(0);
  expect((await signIn(email, password, "198.51.100.9")).status).toBe(200);
});
