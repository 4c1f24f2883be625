import { createHash } from "node:crypto";
import type { ActionName } from "../../contracts/actions.ts";
import type { Meta } from "../../contracts/call.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import type { OnceOnly } from "../../contracts/request.ts";
import { idempotencyKeys, type KeyDoc } from "../../services/idempotency/model.ts";
import identity from "../../services/identity/identity.service.ts";
import idempotency from "../../services/idempotency/idempotency.service.ts";
import { hashOf, type IdempotencyService } from "../../services/idempotency/service.ts";
import pods from "../../services/pods/pods.service.ts";
import workflows from "../../services/workflows/workflows.service.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import { ownDataDir, refusal, type ServiceNode, userIdentity, startServices, until } from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
let ada: Identity;
let workspaceId: string;
beforeAll(async () => {
  node = await startServices(identity, workspaces, pods, workflows, idempotency);
  ada = userIdentity();
  ({ id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Acme" }));
});
afterAll(() => node.stop());

let keys = 0;
const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const newKey = (body = "body"): OnceOnly => ({
  scope: digest(`key ${++keys}`),
  fingerprint: digest(body),
  keepsRefusals: true,
});

interface Made {
  id: string;
}

/** Calls as the gateway does for a request with a key. */
async function ask(action: ActionName, params: object, once: OnceOnly): Promise<{ made: Made; replayed: boolean }> {
  const meta: Meta = { identity: ada };
  const made = await node.broker.call<Made, object>(action, params, { meta, headers: { once } });
  return { made, replayed: meta.replayed === true };
}

const own = () => node.service<IdempotencyService>("idempotency");
const docs = () => own().store.global(idempotencyKeys);
const change = (once: OnceOnly, $set: Partial<KeyDoc>, $unset = {}) =>
  docs().updateOne({ id: hashOf(own(), once.scope) }, { $set, $unset });
/** As a process leaves a key that is killed before it has written down the answer. */
const cutOff = (once: OnceOnly) => change(once, { leaseUntil: new Date(0) }, { answer: true });
const reserve = ({ scope, fingerprint }: OnceOnly) =>
  node.act(null, "idempotency.reserve", { scope, fingerprint, workspaceId });

const CREATIONS: [ActionName, () => object, ActionName, () => object][] = [
  ["workspaces.create", () => ({ name: "Another" }), "workspaces.list", () => ({})],
  ["pods.create", () => ({ workspaceId, name: "Pod" }), "pods.list", () => ({ workspaceId })],
  ["pods.spaces.create", () => ({ workspaceId, name: "Space" }), "pods.spaces.list", () => ({ workspaceId })],
  [
    "workflows.create",
    () => ({ workspaceId, spaceId: workspaceId, name: "w" }),
    "workflows.list",
    () => ({ workspaceId, spaceId: workspaceId }),
  ],
];

describe.each(CREATIONS)("%s with a key", (create, params, list, of) => {
  const there = async () => {
    const { items } = await node.broker.call<{ items: Made[] }, object>(list, of(), { meta: { identity: ada } });
    return items.map(({ id }) => id);
  };

  it("creates once, and gives concurrent requests the first one's answer", async () => {
    const once = newKey();
    const first = await ask(create, params(), once);
    const second = await ask(create, params(), once);
    expect(first.replayed).toBe(false);
    expect(second).toEqual({ made: first.made, replayed: true });
    expect((await there()).filter(id => id === first.made.id)).toHaveLength(1);
  });

  it("continues after an attempt that was interrupted before it began", async () => {
    const once = newKey();
    const { newId } = await reserve(once);
    await cutOff(once);
    const { made, replayed } = await ask(create, params(), once);
    expect({ id: made.id, replayed }).toEqual({ id: newId, replayed: false });
  });

  it("finds what an interrupted attempt created", async () => {
    const before = (await there()).length;
    const once = newKey();
    const first = await ask(create, params(), once);
    await cutOff(once);
    const second = await ask(create, params(), once);
    expect(second).toEqual({ made: first.made, replayed: true });
    expect(await ask(create, params(), once)).toEqual(second);
    expect(await there()).toHaveLength(before + 1);
  });
});

const WITH_SECRETS: [ActionName, () => object, ActionName, "key" | "token"][] = [
  ["identity.apiKeys.create", () => ({ workspaceId, name: "Key" }), "identity.apiKeys.list", "key"],
  [
    "workspaces.invites.create",
    () => ({ workspaceId, email: "grace@example.com" }),
    "workspaces.invites.list",
    "token",
  ],
];

test.each(WITH_SECRETS)(
  "makes one thing by %s although its first attempt was interrupted",
  async (create, params, list, secret) => {
    const once = newKey();
    const first = await ask(create, params(), once);
    await cutOff(once);
    const { made, replayed } = await ask(create, params(), once);
    expect(replayed).toBe(false);
    const shown = made as Made & { key: string; token: string };
    // The token of an invite follows from its id. A key is made anew, since only its hash is kept.
    expect(shown[secret] === (first.made as typeof shown)[secret]).toBe(secret === "token");
    const { key, token } = shown;
    expect(made).toEqual({
      ...first.made,
      ...(secret === "key" ? { key } : { token, link: `http://localhost:3000/#invite=${token}` }),
    });
    const { items } = await node.broker.call<{ items: Made[] }, object>(
      list,
      { workspaceId },
      { meta: { identity: ada } },
    );
    expect(items.map(({ id }) => id)).toEqual([made.id]);
    expect(await ask(create, params(), once)).toEqual({ made, replayed: true });
    if (secret === "key") {
      expect(await node.act(null, "identity.verify", { token: key })).toMatchObject({ keyId: made.id });
    } else {
      await expect(node.act(ada, "workspaces.invites.accept", { token })).rejects.toEqual(refusal("invite_not_yours"));
    }
  },
);

const newPod = (once: OnceOnly, name = "Pod") => ask("pods.create", { workspaceId, name }, once);

test("a key expires after its retention time, and is swept", async () => {
  const once = newKey();
  const first = await newPod(once);
  await change(once, { expiresAt: new Date(0) });
  const other = { ...once, fingerprint: digest("another body") };
  const second = await newPod(other);
  expect(second.replayed).toBe(false);
  expect(second.made.id).not.toBe(first.made.id);
  expect(await newPod(other)).toEqual({ made: second.made, replayed: true });
  await change(once, { expiresAt: new Date(0) });
  node.service<WithSweep>("idempotency").sweeper.soon();
  await until(async () => (await docs().get({ id: hashOf(own(), once.scope) })) === null);
});

test("stored records reveal neither keys nor bodies", async () => {
  const once = newKey("a body that one can guess");
  const isAnswered = async () => (await node.act(null, "idempotency.answered", { scope: once.scope })).answered;
  expect(await isAnswered()).toBe(false);
  await newPod(once);
  expect(await isAnswered()).toBe(true);
  const kept = (await docs().get({ id: hashOf(own(), once.scope) }))!;
  for (const known of [once.scope, once.fingerprint])
    for (const spelling of [
      known,
      ...["base64url", "base64"].map(to => Buffer.from(known, "hex").toString(to as "base64")),
    ])
      expect(JSON.stringify(kept)).not.toContain(spelling);
  await change(once, { expiresAt: new Date(Date.now() + 60_000) });
  expect(await isAnswered()).toBe(false);
});

test("does not let a holder write that lost its key to another", async () => {
  const once = newKey();
  const lost = await reserve(once);
  await cutOff(once);
  const { made } = await newPod(once);
  const { holder } = lost;
  await node.act(null, "idempotency.settle", { scope: once.scope, holder, answer: { result: "stale" } });
  await node.act(null, "idempotency.settle", { scope: once.scope, holder, answer: null });
  expect(await newPod(once)).toEqual({ made, replayed: true });
});

test("lets a holder that renews keep the key, and tells others when to retry", async () => {
  const once = newKey();
  const { holder } = await reserve(once);
  await change(once, { leaseUntil: new Date(Date.now() + 100) });
  await node.act(null, "idempotency.renew", { scope: once.scope, holder });
  const refused = expect(newPod(once)).rejects.toMatchObject({ type: "idempotency_in_progress" });
  await refused;
  await node.act(null, "idempotency.settle", { scope: once.scope, holder, answer: { result: { id: "first" } } });
  expect(await newPod(once)).toEqual({ made: { id: "first" }, replayed: true });
});

test("an internal error is not stored, and a later attempt uses the same id", async () => {
  const once = newKey();
  const write = jest.spyOn(node.service<IdempotencyService>("pods").store, "write");
  write.mockRejectedValueOnce(new Error("the disk is full"));
  await expect(newPod(once)).rejects.toThrow();
  const { newId } = (await docs().get({ id: hashOf(own(), once.scope) }))!;
  const { made, replayed } = await newPod(once);
  expect({ id: made.id, replayed }).toEqual({ id: newId, replayed: false });
});

test("a workflow whose creation was interrupted after its first version is created by the next attempt", async () => {
  const once = newKey();
  const { store } = node.service<IdempotencyService>("workflows");
  const write = store.write.bind(store);
  jest.spyOn(store, "write").mockImplementationOnce(async ops => {
    await write(ops.slice(0, 1));
    throw new Error("cut off");
  });
  const create = () => ask("workflows.create", { workspaceId, spaceId: workspaceId, name: "Cut" }, once);
  await expect(create()).rejects.toThrow();
  const { made, replayed } = await create();
  expect({ made, replayed }).toMatchObject({ made: { name: "Cut", version: 1 }, replayed: false });
});

test("an answer that cannot be stored is still sent, and the next attempt finds what was created", async () => {
  const once = newKey();
  const settle = jest.spyOn(own().sealer, "seal").mockImplementationOnce(() => {
    throw new Error("no");
  });
  const first = await newPod(once);
  expect(settle).toHaveBeenCalledTimes(1);
  await change(once, { leaseUntil: new Date(0) });
  expect(await newPod(once)).toEqual({ made: first.made, replayed: true });
});

test("an answer that is too large to store is not repeated, and the action does not run again", async () => {
  const once = newKey();
  const { holder } = await reserve(once);
  const answer = { result: { id: workspaceId, output: "x".repeat(5_000_000) } };
  await node.act(null, "idempotency.settle", { scope: once.scope, holder, answer });
  await expect(newPod(once)).rejects.toEqual(refusal("idempotency_answer_too_large"));
  await expect(newPod(once)).rejects.toThrow(workspaceId);
});

test("deleting a workspace removes its stored answers", async () => {
  const { id } = await node.act(ada, "workspaces.create", { name: "Doomed" });
  const once = newKey();
  await ask("pods.create", { workspaceId: id, name: "Pod" }, once);
  await node.act(null, "idempotency.purge", { workspaceId: id });
  expect(await docs().get({ id: hashOf(own(), once.scope) })).toBeNull();
  expect(await docs().count({ workspaceId })).toBeGreaterThan(0);
});
