import { generateKeyPairSync } from "node:crypto";
import jwt from "jsonwebtoken";
import { v7 as uuid } from "uuid";
import type { UserIdentity } from "../../contracts/entities/user.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import identity from "../../services/identity/identity.service.ts";
import { sessions } from "../../services/identity/model.ts";
import { ownDataDir, refusal, type ServiceNode, startServices, until } from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(identity)));
afterAll(() => node.stop());
afterEach(() => jest.restoreAllMocks());

let count = 0;
const register = () =>
  node.act(null, "identity.register", { email: `user${count++}@example.com`, password: "correct horse battery" });
const who = (token: string) => node.act(null, "identity.verify", { token }) as Promise<UserIdentity | null>;
const refresh = (refreshToken: string) => node.act(null, "identity.refresh", { refreshToken });
/** Moves the session's past so far back. */
async function age(accessToken: string, ms: number): Promise<void> {
  const { sessionId } = (await who(accessToken))!;
  const { replacedAt = [] } = (await stored().get({ id: sessionId }))!;
  const older = replacedAt.map(time => new Date(Date.parse(time) - ms).toISOString());
  await stored().updateOne({ id: sessionId }, { $set: { replacedAt: older } });
}
const stored = () => node.service<WithStore>("identity").store.global(sessions);
const later = (ms: number) => {
  const now = Date.now();
  jest.spyOn(Date, "now").mockReturnValue(now + ms);
};

describe("access tokens", () => {
  const key = () => process.env.JWT_SECRET!;
  const forge = (claims: object, secret: string | null, options: jwt.SignOptions = {}) =>
    jwt.sign(claims, secret as string, { issuer: "weft", audience: "weft-api", expiresIn: 60, ...options });

  test("a foreign or altered token does not authenticate", async () => {
    const { accessToken } = await register();
    const { sub, sid } = jwt.decode(accessToken) as { sub: string; sid: string };
    expect(await who(forge({ sub, sid }, key()))).toMatchObject({ userId: sub, sessionId: sid });

    const [head, body, signature] = accessToken.split(".") as [string, string, string];
    const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
    const flipped = signature.startsWith("A") ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const rsa = jwt.sign({ sub, sid }, privateKey, {
      algorithm: "RS256",
      issuer: "weft",
      audience: "weft-api",
      expiresIn: 60,
    });
    const refused = {
      "no token": "x",
      "no signature": `${none}.${body}.`,
      "no algorithm": `${none}.${body}.${signature}`,
      "another signature": `${head}.${body}.${flipped}`,
      "another key": forge({ sub, sid }, "another secret that is long enough for it"),
      "a public key as secret": forge({ sub, sid }, publicKey.export({ type: "spki", format: "pem" }) as string),
      "another algorithm with our key": forge({ sub, sid }, key(), { algorithm: "HS384" }),
      "an RSA signature": rsa,
      "another issuer": forge({ sub, sid }, key(), { issuer: "else" }),
      "another audience": forge({ sub, sid }, key(), { audience: "else" }),
      "a session of another user": forge({ sub: uuid(), sid }, key()),
      "an unknown session": forge({ sub, sid: uuid() }, key()),
      "no session": forge({ sub }, key()),
      expired: forge({ sub, sid }, key(), { expiresIn: -60 }),
      "no end": jwt.sign({ sub, sid }, key(), { issuer: "weft", audience: "weft-api" }),
    };
    const answers = await Promise.all(Object.entries(refused).map(async ([what, token]) => [what, await who(token)]));
    expect(answers).toEqual(Object.keys(refused).map(what => [what, null]));
  });

  test("a token is valid for 15 minutes, also when it is cached", async () => {
    const { accessToken, expiresAt } = await register();
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 15 * 60_000)).toBeLessThan(5_000);
    expect(await who(accessToken)).not.toBeNull();
    later(14 * 60_000);
    expect(await who(accessToken)).not.toBeNull();
    jest.restoreAllMocks();
    later(16 * 60_000);
    expect(await who(accessToken)).toBeNull();
  });
});

describe("refresh tokens", () => {
  test("each use returns another token and keeps the session", async () => {
    const first = await register();
    const second = await refresh(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(second.user).toEqual(first.user);
    const third = await refresh(second.refreshToken);
    expect((await who(third.accessToken))?.sessionId).toBe((await who(first.accessToken))?.sessionId);
  });

  test("a replaced token returns the same answer for 30 seconds", async () => {
    const first = await register();
    const second = await refresh(first.refreshToken);
    expect(await refresh(first.refreshToken)).toEqual(second);
    await age(second.accessToken, 29_000);
    expect(await refresh(first.refreshToken)).toEqual(second);
    const third = await refresh(second.refreshToken);
    expect(third.refreshToken).not.toBe(second.refreshToken);
    expect(await who(second.accessToken)).not.toBeNull();
  });

  test("reuse after that ends the whole session", async () => {
    const first = await register();
    const second = await refresh(first.refreshToken);
    await age(second.accessToken, 31_000);
    await expect(refresh(first.refreshToken)).rejects.toEqual(refusal("invalid_refresh_token"));
    expect(await who(first.accessToken)).toBeNull();
    expect(await who(second.accessToken)).toBeNull();
    await expect(refresh(second.refreshToken)).rejects.toEqual(refusal("invalid_refresh_token"));
  });

  test("repeats the current token if the session was renewed again within the time", async () => {
    const first = await register();
    const second = await refresh(first.refreshToken);
    const third = await refresh(second.refreshToken);
    expect(await refresh(first.refreshToken)).toEqual(third);
    expect(await refresh(second.refreshToken)).toEqual(third);
  });

  test("each token has its own 30 seconds, however recently its successor was replaced", async () => {
    const first = await register();
    const second = await refresh(first.refreshToken);
    await age(second.accessToken, 31_000);
    const third = await refresh(second.refreshToken);
    expect(await refresh(second.refreshToken)).toEqual(third);
    await expect(refresh(first.refreshToken)).rejects.toEqual(refusal("invalid_refresh_token"));
    expect(await who(third.accessToken)).toBeNull();
  });

  test("concurrent uses get the same answer, and the session continues", async () => {
    const first = await register();
    const all = await Promise.all(Array.from({ length: 20 }, () => refresh(first.refreshToken)));
    expect(new Set(all.map(answer => JSON.stringify(answer))).size).toBe(1);
    const next = await refresh(all[0]!.refreshToken);
    expect(await who(next.accessToken)).not.toBeNull();
  });

  test("a session that is renewed often keeps a bounded history", async () => {
    const first = await register();
    let last = first;
    for (let i = 0; i < 15; i++) last = await refresh(last.refreshToken);
    const { sessionId } = (await who(last.accessToken))!;
    expect((await stored().get({ id: sessionId }))!.replacedAt).toHaveLength(10);
  });

  test("a forged token ends no session", async () => {
    const session = await register();
    const bytes = Buffer.from(session.refreshToken.slice(4), "base64url");
    bytes[20]! ^= 1;
    for (const token of [`wfr_${bytes.toString("base64url")}`, "wfr_", "x", session.refreshToken.slice(0, -2)]) {
      await expect(refresh(token)).rejects.toEqual(refusal("invalid_refresh_token"));
    }
    expect(await who(session.accessToken)).not.toBeNull();
  });

  test("only a keyed hash of the token is stored", async () => {
    const session = await register();
    const { sessionId } = (await who(session.accessToken))!;
    const renewed = await refresh(session.refreshToken);
    const document = JSON.stringify(await stored().get({ id: sessionId }));
    for (const { refreshToken } of [session, renewed]) {
      expect(document).not.toContain(refreshToken.slice(10, 40));
      // The session's id is the first part of the token; what follows is secret.
      expect(document).not.toContain(refreshToken.slice(40));
    }
  });

  test("a session lasts 30 days from its last use and is swept away after them", async () => {
    const first = await register();
    const { sessionId } = (await who(first.accessToken))!;
    const end = async () => (await stored().get({ id: sessionId }))!.expiresAt.getTime();
    expect(Math.abs((await end()) - Date.now() - 30 * 86_400_000)).toBeLessThan(5_000);
    const second = await refresh(first.refreshToken);
    await stored().updateOne({ id: sessionId }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect(await who(second.accessToken)).toBeNull();
    node.service<WithSweep>("identity").sweeper.soon();
    await until(async () => (await stored().get({ id: sessionId })) === null);
    await expect(refresh(second.refreshToken)).rejects.toEqual(refusal("invalid_refresh_token"));
  });

  test("a user has at most 100 sessions; a new one replaces the oldest", async () => {
    const first = await register();
    const { userId, sessionId } = (await who(first.accessToken))!;
    const now = new Date();
    const more = Array.from({ length: 99 }, () => ({
      id: uuid(),
      userId,
      refreshHash: "-",
      createdAt: now,
      updatedAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
    }));
    await stored().insertMany(more);
    await node.act(null, "identity.login", { email: first.user.email, password: "correct horse battery" });
    expect(await stored().count({ userId })).toBe(100);
    expect(await stored().get({ id: sessionId })).toBeNull();
  });
});
