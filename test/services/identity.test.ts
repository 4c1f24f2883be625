import identity from "../../services/identity/identity.service.ts";
import { users } from "../../services/identity/model.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ownDataDir, refusal, type ServiceNode, startServices } from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(identity)));
afterAll(() => node.stop());

let count = 0;
const password = "correct horse battery";
const register = (email = `user${count++}@example.com`) =>
  node.act(null, "identity.register", { email, password, name: "Ada" });
const who = (token: string) => node.act(null, "identity.verify", { token });

test("signs in at the registration, and returns nothing secret", async () => {
  const session = await register("Ada.Lovelace@Example.COM");
  expect(session.user).toEqual({
    id: session.user.id,
    email: "ada.lovelace@example.com",
    name: "Ada",
    createdAt: expect.any(String) as unknown,
    updatedAt: session.user.createdAt,
  });
  expect(Object.keys(session).sort()).toEqual(["accessToken", "expiresAt", "refreshToken", "user"]);
  const identified = await who(session.accessToken);
  expect(identified).toMatchObject({ kind: "user", userId: session.user.id });
  expect(await node.act(identified, "identity.me", {})).toEqual({
    ...session.user,
    hasPassword: true,
    preferences: {},
    mails: "none",
    operator: false,
  });
});

test("passwords are stored as argon2id hashes with OWASP's parameters", async () => {
  const { user } = await register();
  const stored = await node.service<WithStore>("identity").store.global(users).get({ id: user.id });
  expect(stored?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test("registers an e-mail address once, whatever its case, also concurrently", async () => {
  await register("once@example.com");
  await expect(register("ONCE@example.com")).rejects.toEqual(refusal("email_taken"));
  const both = await Promise.allSettled([register("race@example.com"), register("race@example.com")]);
  expect(both.map(one => one.status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(one => one.status === "rejected")?.reason).toEqual(refusal("email_taken"));
});

test("a wrong password and an unknown address get the same answer", async () => {
  await register("known@example.com");
  const login = (email: string, given: string) => node.act(null, "identity.login", { email, password: given });
  expect((await login("Known@example.com", password)).user.email).toBe("known@example.com");
  const wrong = await login("known@example.com", "wrong horse battery").catch((error: unknown) => error);
  const unknown = await login("unknown@example.com", password).catch((error: unknown) => error);
  expect(wrong).toEqual(refusal("invalid_credentials"));
  expect({ ...(wrong as object) }).toEqual({ ...(unknown as object) });
});

test("serves a burst of sign-ins in turn, and rejects those beyond the queue", async () => {
  await register("burst@example.com");
  const logins = Array.from({ length: 130 }, () =>
    node.act(null, "identity.login", { email: "burst@example.com", password: "not the right one" }),
  );
  const results = await Promise.allSettled(logins);
  const types = new Set(results.map(one => (one.status === "rejected" ? (one.reason as { type: string }).type : "ok")));
  expect(types).toEqual(new Set(["invalid_credentials", "unavailable"]));
  expect((await node.act(null, "identity.login", { email: "burst@example.com", password })).user.name).toBe("Ada");
});

test("the name can be changed and cleared", async () => {
  const session = await register();
  const me = await who(session.accessToken);
  expect((await node.act(me, "identity.updateMe", { name: "Grace" })).name).toBe("Grace");
  expect((await node.act(me, "identity.updateMe", {})).name).toBe("Grace");
  expect((await node.act(me, "identity.updateMe", { name: null })).name).toBeNull();
});

test("users are found by id, and unknown ids are left out", async () => {
  const { user } = await register();
  const ids = [user.id, "0197c7a5-0000-7000-8000-000000000000"];
  expect(await node.act(null, "identity.users", { ids })).toEqual([user]);
  expect(await node.act(null, "identity.users", { ids: [] })).toEqual([]);
});

test("logging out ends this session at once, and no other", async () => {
  const first = await register("two@example.com");
  const second = await node.act(null, "identity.login", { email: "two@example.com", password });
  const me = await who(first.accessToken);
  await node.act(me, "identity.logout", {});
  expect(await who(first.accessToken)).toBeNull();
  await expect(node.act(null, "identity.refresh", { refreshToken: first.refreshToken })).rejects.toEqual(
    refusal("invalid_refresh_token"),
  );
  expect(await who(second.accessToken)).not.toBeNull();
});
