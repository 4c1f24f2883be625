import type { Role } from "../../contracts/primitives.ts";
import { type Api, newWorkspace, register } from "../support/api.ts";
import { openStream, type OpenStream } from "../support/event-stream.ts";
import { addMembers } from "../support/members.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

type Person = Awaited<ReturnType<typeof register>>;

let server: Server;
let ada: Api;
let workspaceId: string;
let bob: Person;
const streams: OpenStream[] = [];

beforeAll(async () => {
  server = await sharedServer();
  ({ api: ada, workspaceId } = await newWorkspace(server.url));
});
beforeEach(async () => {
  bob = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId, userId: bob.userId, role: "viewer" }]);
});
afterEach(() => streams.splice(0).forEach(stream => stream.leave()));

async function follow(who: Api, lastEventId?: string): Promise<OpenStream> {
  const options = { token: who.token, ...(lastEventId !== undefined && { lastEventId }) };
  const stream = await openStream(`${server.url}/v1/notifications/stream`, options);
  streams.push(stream);
  return stream;
}

async function setRole(role: Role, who = bob): Promise<void> {
  const { status } = await ada.patch(`/v1/workspaces/${workspaceId}/members/${who.userId}`, { role });
  expect(status).toBe(200);
}

async function next(stream: OpenStream) {
  const event = await stream.next();
  return { id: event?.id, event: event?.event, data: JSON.parse(event?.data ?? "null") };
}

/** Waits until a user has got this many. */
async function untilGot(who: Api, count: number): Promise<void> {
  const stream = await follow(who, "0");
  for (let left = count; left > 0; left--) await stream.next();
}

test("streams and lists a member's notifications to that member only", async () => {
  const carol = await register(server.url);
  await addMembers(server.dataDir, [{ workspaceId, userId: carol.userId, role: "viewer" }]);
  const [bobs, carols] = [await follow(bob), await follow(carol)];
  expect(bobs.status).toBe(200);
  expect(bobs.headers.get("content-type")).toBe("text/event-stream");
  await setRole("editor");
  const heard = await next(bobs);
  expect(heard).toMatchObject({
    id: "1",
    event: "notification.created",
    data: { type: "role_changed", title: "Your role is now editor in A workspace", workspaceId, readAt: null },
  });
  expect((await bob.get("/v1/notifications")).body).toEqual([heard.data]);
  expect((await ada.delete(`/v1/workspaces/${workspaceId}/members/${bob.userId}`)).status).toBe(204);
  expect(await next(bobs)).toMatchObject({ id: "2", data: { type: "member_removed" } });
  expect((await carol.get("/v1/notifications")).body).toEqual([]);
  await setRole("admin", carol);
  expect(await next(carols)).toMatchObject({ id: "1", data: { title: "Your role is now admin in A workspace" } });
});

test("continues a stream after the last seen notification, and otherwise starts with new ones", async () => {
  await setRole("editor");
  await untilGot(bob, 1);
  await setRole("admin");
  await untilGot(bob, 2);
  expect(await next(await follow(bob, "1"))).toMatchObject({
    id: "2",
    data: { title: expect.stringMatching("admin") },
  });
  // A stream without a position, or with one that is too high, shows only later notifications.
  const [fresh, ahead] = [await follow(bob), await follow(bob, "99")];
  await setRole("viewer");
  for (const stream of [fresh, ahead]) {
    expect(await next(stream)).toMatchObject({ id: "3", data: { title: expect.stringMatching("viewer") } });
  }
});

test("lists notifications page by page, marks them as read, and deletes them", async () => {
  for (const [place, role] of (["editor", "admin", "viewer"] as const).entries()) {
    await setRole(role);
    await untilGot(bob, place + 1);
  }
  const first = await bob.get("/v1/notifications?limit=2");
  const link = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1];
  const second = await bob.get(link!);
  const all = [...first.body, ...second.body];
  const titles = ["viewer", "admin", "editor"].map(role => ({ title: `Your role is now ${role} in A workspace` }));
  expect(all).toMatchObject(titles);
  expect(second.headers.get("link")).toBeNull();

  const [one, two] = all;
  expect(await bob.patch(`/v1/notifications/${one.id}/read`)).toMatchObject({
    status: 200,
    body: { ...one, readAt: expect.any(String) },
  });
  expect((await bob.get("/v1/notifications?unread=true")).body).toHaveLength(2);
  expect((await bob.delete(`/v1/notifications/${two.id}`)).status).toBe(204);
  expect((await bob.delete(`/v1/notifications/${two.id}`)).status).toBe(404);
  expect(await bob.patch("/v1/notifications/read-all")).toMatchObject({ status: 200, body: { updated: 1 } });
  expect((await bob.get("/v1/notifications?unread=true")).body).toEqual([]);
  expect((await bob.get("/v1/notifications")).body).toHaveLength(2);

  for (const path of [`/v1/notifications/${one.id}/read`, "/v1/notifications/x/read"])
    expect(await ada.patch(path)).toMatchObject({ status: 404, body: { code: "not_found" } });
  expect((await ada.delete(`/v1/notifications/${one.id}`)).status).toBe(404);
  expect((await bob.get("/v1/notifications?unread=yes")).status).toBe(400);
});

test("ends a stream with its session", async () => {
  const stream = await follow(bob);
  expect((await bob.post("/v1/auth/logout")).status).toBe(204);
  expect(await stream.rest()).toEqual([]);
  expect((await follow(bob)).status).toBe(401);
});
