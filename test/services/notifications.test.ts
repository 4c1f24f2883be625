import type { InputOf } from "../../contracts/actions.ts";
import type { Identity } from "../../contracts/entities/user.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { MAX_KEPT, sweepExpired } from "../../services/notifications/bounds.ts";
import { notifications as docs } from "../../services/notifications/model.ts";
import notifications from "../../services/notifications/notifications.service.ts";
import pods from "../../services/pods/pods.service.ts";
import { members } from "../../services/workspaces/model.ts";
import workspaces from "../../services/workspaces/workspaces.service.ts";
import type { Service } from "moleculer";
import { v7 as uuid } from "uuid";
import { addMember } from "../support/add-member.ts";
import { ownDataDir, refusal, type ServiceNode, userIdentity, startServices } from "../support/service-node.ts";

ownDataDir();

let node: ServiceNode;
beforeAll(async () => void (node = await startServices(workspaces, pods, notifications)));
afterAll(() => node.stop());

let ada: Identity;
let workspaceId: string;
beforeEach(async () => {
  ada = userIdentity();
  ({ id: workspaceId } = await node.act(ada, "workspaces.create", { name: "Looms" }));
});

const DAY_MS = 24 * 3_600_000;
type Notify = InputOf<"notifications.notify">;
const notify = (to: Notify["to"], more: Partial<Notify> = {}) =>
  node.act(null, "notifications.notify", { key: uuid(), workspaceId, type: "message", title: "Hello", to, ...more });
const list = async (who: Identity, query: InputOf<"notifications.list"> = {}) =>
  (await node.act(who, "notifications.list", query)).items;
const titles = async (who: Identity, query: InputOf<"notifications.list"> = {}) =>
  (await list(who, query)).map(({ title }) => title);
const store = () => node.service<WithStore>("notifications").store;
const sweep = (now: Date) => sweepExpired.call(node.service<Service & WithStore>("notifications"), now);

describe("the recipients of a notification", () => {
  it("are all members with at least the role, and the members that are named", async () => {
    const [viewer, editor, admin] = [
      await addMember(node, workspaceId, "viewer"),
      await addMember(node, workspaceId, "editor"),
      await addMember(node, workspaceId, "admin"),
    ];
    expect(await notify({ role: "editor", userIds: [editor.userId, editor.userId] })).toEqual({ notified: 3 });
    expect(await Promise.all([viewer, editor, admin, ada].map(who => titles(who)))).toEqual([
      [],
      ["Hello"],
      ["Hello"],
      ["Hello"],
    ]);
  });

  it("are never people outside of the workspace, even if a workflow names them", async () => {
    const stranger = userIdentity();
    await node.act(stranger, "workspaces.create", { name: "Elsewhere" });
    expect(await notify({ userIds: [stranger.userId, ada.userId] })).toEqual({ notified: 1 });
    expect(await list(stranger)).toEqual([]);
  });

  it("can be any person for a notification to one person", async () => {
    const leaver = userIdentity();
    expect(await notify({ userIds: [leaver.userId] }, { type: "member_removed" })).toEqual({ notified: 1 });
    expect(await list(leaver)).toMatchObject([{ type: "member_removed", workspaceId }]);
  });

  it("must be specified", async () => {
    await expect(notify({})).rejects.toEqual(refusal("validation_failed"));
    const nowhere = { workspaceId: undefined };
    await expect(notify({ userIds: [ada.userId] }, nowhere)).rejects.toEqual(refusal("validation_failed"));
    await expect(notify({ role: "viewer" }, { ...nowhere, type: "invite" })).rejects.toEqual(
      refusal("validation_failed"),
    );
  });

  it("get a bounded text", async () => {
    const to = { userIds: [ada.userId] };
    const wrong = [
      { title: "x".repeat(201) },
      { title: " " },
      { body: "x".repeat(10_001) },
      { link: "//evil.example" },
    ];
    for (const more of wrong) await expect(notify(to, more)).rejects.toEqual(refusal("validation_failed"));
    expect(await notify(to, { title: "x".repeat(200), body: "x".repeat(10_000), link: "/v1/workspaces" })).toEqual({
      notified: 1,
    });
  });

  it("get a link to the console beside the path of the API", async () => {
    const link = `/v1/workspaces/${workspaceId}/spaces/${workspaceId}/executions/${uuid()}`;
    await notify({ userIds: [ada.userId] }, { link });
    await notify({ userIds: [ada.userId] }, { link: "/v1/files/1" });
    const [other, run] = await list(ada, { limit: 2 });
    expect(run).toMatchObject({
      link,
      consoleUrl: expect.stringMatching(/^https?:[^?]+\/w\/[\w-]+\/s\/[\w-]+\/runs\//),
    });
    expect(other?.consoleUrl).toBeUndefined();
  });

  it("of a large workspace are notified page by page, and once when the call is repeated", async () => {
    const now = new Date();
    const editors = () =>
      Array.from({ length: 200 }, () => ({
        ...{ id: uuid(), workspaceId, userId: uuid(), role: "editor" as const },
        ...{ createdAt: now, updatedAt: now },
      }));
    for (let part = 0; part < 5; part++) await store().tenant(members, workspaceId).insertMany(editors());
    const key = uuid();
    expect(await notify({ role: "editor" }, { key })).toEqual({ notified: 1_001 });
    expect(await notify({ role: "editor" }, { key })).toEqual({ notified: 1_001 });
    expect(await store().global(docs).count({ workspaceId })).toBe(1_001);
  });
});

describe("a key", () => {
  it("makes one notification per user under repeated and concurrent calls", async () => {
    const key = uuid();
    const to = { userIds: [ada.userId] };
    await Promise.all(Array.from({ length: 10 }, () => notify(to, { key })));
    expect(await list(ada)).toHaveLength(1);
  });

  it("does not create a deleted notification again", async () => {
    const key = uuid();
    await notify({ userIds: [ada.userId] }, { key, body: "secret" });
    const [first] = await list(ada);
    await node.act(ada, "notifications.remove", { id: first!.id });
    await notify({ userIds: [ada.userId] }, { key });
    expect(await list(ada)).toEqual([]);
    expect(JSON.stringify(await store().global(docs).get({ id: first!.id }))).not.toMatch(/secret|Hello/);
  });
});

describe("a person's notifications", () => {
  const tell = async (...all: string[]) => {
    for (const title of all) await notify({ userIds: [ada.userId] }, { title });
  };

  it("are listed newest first, page by page", async () => {
    await tell("1", "2", "3");
    expect(await list(ada)).toEqual(
      ["3", "2", "1"].map(title => ({
        id: expect.any(String) as unknown,
        type: "message",
        title,
        body: "",
        workspaceId,
        readAt: null,
        createdAt: expect.any(String) as unknown,
      })),
    );
    const first = await node.act(ada, "notifications.list", { limit: 2 });
    expect(first.items.map(({ title }) => title)).toEqual(["3", "2"]);
    expect(await titles(ada, { limit: 2, cursor: first.next! })).toEqual(["1"]);
  });

  it("are read one by one, or all", async () => {
    await tell("1", "2", "3");
    const [, second] = await list(ada);
    const read = await node.act(ada, "notifications.read", { id: second!.id });
    expect(read).toEqual({ ...second, readAt: expect.any(String) as unknown });
    expect(await node.act(ada, "notifications.read", { id: second!.id })).toEqual(read);
    expect(await titles(ada, { unread: true })).toEqual(["3", "1"]);
    expect(await node.act(ada, "notifications.readAll", {})).toEqual({ updated: 2 });
    expect(await titles(ada, { unread: true })).toEqual([]);
    expect(await titles(ada, { unread: false })).toEqual(["3", "2", "1"]);
  });

  it("are not visible to other people", async () => {
    await tell("mine");
    const [{ id } = { id: "" }] = await list(ada);
    const other = userIdentity();
    await expect(node.act(other, "notifications.read", { id })).rejects.toEqual(refusal("not_found"));
    await expect(node.act(other, "notifications.remove", { id })).rejects.toEqual(refusal("not_found"));
    expect(await node.act(other, "notifications.readAll", {})).toEqual({ updated: 0 });
    expect(await node.act(other, "notifications.since", { after: 0 })).toEqual({ seq: 0, items: [], more: false });
    expect(await list(ada)).toMatchObject([{ title: "mine", readAt: null }]);
  });

  it("are no longer listed after their deletion", async () => {
    await tell("1");
    const [{ id } = { id: "" }] = await list(ada);
    await node.act(ada, "notifications.remove", { id });
    for (const name of ["notifications.remove", "notifications.read"] as const)
      await expect(node.act(ada, name, { id })).rejects.toEqual(refusal("not_found"));
    expect(await list(ada)).toEqual([]);
  });

  it("have numbers without gaps, also under concurrent writes", async () => {
    await Promise.all(Array.from({ length: 30 }, (_, i) => notify({ userIds: [ada.userId] }, { title: `${i}` })));
    const seqs: number[] = [];
    for (let after = 0, more = true; more;) {
      const page = await node.act(ada, "notifications.since", { after, limit: 20 });
      seqs.push(...page.items.map(({ seq }) => seq));
      ({ seq: after, more } = page);
    }
    expect(seqs).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    expect(await node.act(ada, "notifications.since", {})).toEqual({ seq: 30, items: [], more: false });
    expect(await node.act(ada, "notifications.since", { after: 99 })).toMatchObject({ seq: 30, items: [] });
  });
});

describe("the stored notifications", () => {
  const insert = async (count: number, more: (index: number) => object = () => ({})) => {
    const now = new Date();
    await store()
      .global(docs)
      .insertMany(
        Array.from({ length: count }, (_, index) => ({
          id: uuid(),
          userId: ada.userId,
          seq: index + 1,
          key: uuid(),
          type: "message" as const,
          title: `${index + 1}`,
          body: "",
          createdAt: now,
          expiresAt: new Date(now.getTime() + 90 * DAY_MS),
          ...more(index),
        })),
      );
  };
  const seqs = async () => {
    const all = await store()
      .global(docs)
      .find({ userId: ada.userId }, { sort: { seq: 1 }, limit: 1_000 });
    return all.items.map(({ seq }) => seq);
  };

  it("are limited to 1,000 per user: deleted ones are removed first, then read ones, then the oldest", async () => {
    const removed = { removed: true, title: null, body: null };
    await insert(MAX_KEPT, index => (index === 5 ? removed : index === 3 ? { readAt: new Date() } : {}));
    for (const gone of [6, 4, 1, 2]) {
      expect(await seqs()).toContain(gone);
      await notify({ userIds: [ada.userId] });
      expect(await seqs()).not.toContain(gone);
      expect(await seqs()).toHaveLength(MAX_KEPT);
    }
  });

  it("are at most 90 days old, and no seq is used twice", async () => {
    // A sweep visits each user. Without those of the tests above, it ends in time on a slow store, too.
    await removeAll(store().global(docs), {});
    await notify({ userIds: [ada.userId] }, { title: "old" });
    await notify({ userIds: [ada.userId] }, { title: "newest" });
    await sweep(new Date(Date.now() + 89 * DAY_MS));
    expect(await list(ada)).toHaveLength(2);
    await sweep(new Date(Date.now() + 91 * DAY_MS));
    expect(await list(ada)).toEqual([]);
    expect(await seqs()).toEqual([2]);
    await notify({ userIds: [ada.userId] }, { title: "after" });
    expect(await seqs()).toEqual([2, 3]);
    await sweep(new Date(Date.now() + 200 * DAY_MS));
    expect(await seqs()).toEqual([3]);
  });

  it("of a deleted workspace are removed, and those of other workspaces are kept", async () => {
    const other = await node.act(ada, "workspaces.create", { name: "Other" });
    await notify({ userIds: [ada.userId] }, { title: "kept", workspaceId: other.id });
    await notify({ userIds: [ada.userId] }, { title: "gone" });
    await node.act(null, "notifications.purge", { workspaceId });
    expect(await titles(ada)).toEqual(["kept"]);
    await notify({ userIds: [ada.userId] }, { title: "next", workspaceId: other.id });
    expect(await seqs()).toEqual([1, 2, 3]);
  });
});
