import type { Meta } from "../../contracts/call.ts";
import type { BrowserSession, UserIdentity } from "../../contracts/entities/user.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import identity from "../../services/identity/identity.service.ts";
import { sessions } from "../../services/identity/model.ts";
import { ownDataDir, refusal, type ServiceNode, startServices } from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(identity)));
afterAll(() => node.stop());

const password = "correct horse battery";
const stored = () => node.service<WithStore>("identity").store.global(sessions);
const HOUR = 3_600_000;

/** Calls an action and gives its result with the cookie that the gateway would set. */
async function ask<T>(action: string, params: object): Promise<{ result: T; cookie: Meta["session"] }> {
  const meta: Meta = {};
  const result = await node.broker.call<T, object>(action, params, { meta });
  return { result, cookie: meta.session };
}

let count = 0;
async function signUp(more: object = {}) {
  const email = `page${count++}@example.com`;
  const { result, cookie } = await ask<BrowserSession>("identity.browser.register", { email, password, ...more });
  const who = (await node.act(null, "identity.verify", { token: result.accessToken })) as UserIdentity;
  return { ...result, email, token: cookie!.token, who };
}
const resume = (session?: string) => ask<BrowserSession | null>("identity.browser.token", { session });

async function age(id: string, ms: number): Promise<void> {
  const { updatedAt, replacedAt = [] } = (await stored().get({ id }))!;
  const $set = {
    updatedAt: new Date(updatedAt.getTime() - ms),
    replacedAt: replacedAt.map(time => new Date(Date.parse(time) - ms).toISOString()),
  };
  await stored().updateOne({ id }, { $set });
}

describe("a browser session", () => {
  test("returns access tokens concurrently and in sequence, and keeps its cookie", async () => {
    const { token, user } = await signUp();
    const answers = await Promise.all(Array.from({ length: 10 }, () => resume(token)));
    expect(answers.every(({ result, cookie }) => result?.user.id === user.id && cookie === undefined)).toBe(true);
    for (const { result } of answers) {
      expect(await node.act(null, "identity.verify", { token: result!.accessToken })).toMatchObject({
        userId: user.id,
      });
    }
  });

  test("rotates its cookie once a day for all tabs, and accepts the former one for another minute", async () => {
    const { token, who } = await signUp();
    await age(who.sessionId, 25 * HOUR);
    const renewed = await Promise.all([resume(token), resume(token), resume(token)]);
    const tokens = new Set(renewed.map(({ cookie }) => cookie?.token));
    expect(tokens.size).toBe(1);
    const [next] = tokens;
    expect(next).not.toBe(token);
    expect((await resume(next)).cookie).toBeUndefined();
    await age(who.sessionId, 55_000);
    expect((await resume(token)).cookie?.token).toBe(next);
    await age(who.sessionId, 10_000);
    // A copy of the former cookie: the session ends for the copy and for its owner.
    expect(await resume(token)).toEqual({ result: null, cookie: null });
    expect(await resume(next)).toEqual({ result: null, cookie: null });
  });

  test("is not accepted as a refresh token, nor is a refresh token accepted as a session", async () => {
    const { token } = await signUp();
    await expect(node.act(null, "identity.refresh", { refreshToken: token })).rejects.toEqual(
      refusal("invalid_refresh_token"),
    );
    expect((await resume(token)).result).not.toBeNull();
    const program = await node.act(null, "identity.register", { email: "program@example.com", password });
    expect((await resume(program.refreshToken)).result).toBeNull();
    expect((await node.act(null, "identity.refresh", { refreshToken: program.refreshToken })).user.email).toBe(
      "program@example.com",
    );
  });

  test.each([undefined, "", "x", "wfr_AAAA", `wfr_${"A".repeat(86)}`])("rejects %p", async given => {
    const { result } = await resume(given || undefined);
    expect(result).toBeNull();
  });

  test("ends with its access tokens on sign-out", async () => {
    const { token, accessToken } = await signUp();
    expect(await ask("identity.browser.logout", { session: token })).toEqual({ result: null, cookie: null });
    expect((await resume(token)).result).toBeNull();
    expect(await node.act(null, "identity.verify", { token: accessToken })).toBeNull();
    expect(await ask("identity.browser.logout", {})).toEqual({ result: null, cookie: null });
  });

  test("ends after thirty days without use", async () => {
    const { token, who } = await signUp();
    await stored().updateOne({ id: who.sessionId }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect(await resume(token)).toEqual({ result: null, cookie: null });
  });
});

describe("the list of sessions", () => {
  test("shows the user's sessions with browser and address, and ends one of them", async () => {
    const page = await signUp({ userAgent: "Firefox" });
    const other = await node.act(null, "identity.login", { email: page.email, password });
    const stranger = await signUp();
    const { items } = await node.act(page.who, "identity.sessions.list", {});
    expect(items.map(({ kind, userAgent, current }) => ({ kind, userAgent, current }))).toEqual([
      { kind: "program", userAgent: null, current: false },
      { kind: "browser", userAgent: "Firefox", current: true },
    ]);
    await expect(node.act(stranger.who, "identity.sessions.remove", { id: page.who.sessionId })).rejects.toEqual(
      refusal("not_found"),
    );
    await node.act(page.who, "identity.sessions.remove", { id: items[0]!.id });
    expect(await node.act(null, "identity.verify", { token: other.accessToken })).toBeNull();
  });
});

describe("changes of one's own account", () => {
  test("a new password needs the current one and ends all other sessions", async () => {
    const { who, email, accessToken } = await signUp();
    const other = await node.act(null, "identity.login", { email, password });
    const change = (current: string) =>
      node.act(who, "identity.updateMe", { password: { current, new: "a new horse battery" } });
    await expect(change("not this horse battery")).rejects.toMatchObject({
      type: "validation_failed",
      data: { errors: [{ path: "/password/current" }] },
    });
    await change(password);
    expect(await node.act(null, "identity.verify", { token: other.accessToken })).toBeNull();
    expect(await node.act(null, "identity.verify", { token: accessToken })).not.toBeNull();
    await expect(node.act(null, "identity.login", { email, password })).rejects.toEqual(refusal("invalid_credentials"));
    await node.act(null, "identity.login", { email, password: "a new horse battery" });
  });

  test("a new address needs the password, and must not belong to another account", async () => {
    const [one, two] = [await signUp(), await signUp()];
    const change = (more: object) => node.act(one.who, "identity.updateMe", { email: two.email, ...more });
    await expect(change({})).rejects.toEqual(refusal("validation_failed"));
    await expect(change({ password: { current: password } })).rejects.toEqual(refusal("email_taken"));
    const changed = await node.act(one.who, "identity.updateMe", {
      email: "moved@example.com",
      password: { current: password },
    });
    expect(changed.email).toBe("moved@example.com");
  });

  test("preferences are stored up to a size limit", async () => {
    const { who } = await signUp();
    expect((await node.act(who, "identity.me", {})).preferences).toEqual({});
    const preferences = { theme: "dark", density: { rows: 28 } };
    await node.act(who, "identity.updateMe", { preferences });
    expect((await node.act(who, "identity.me", {})).preferences).toEqual(preferences);
    await expect(node.act(who, "identity.updateMe", { preferences: { text: "x".repeat(9_000) } })).rejects.toEqual(
      refusal("validation_failed"),
    );
  });
});
