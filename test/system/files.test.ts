import { createHash, randomBytes } from "node:crypto";
import { type Api, newWorkspace, register } from "../support/api.ts";
import { download, upload } from "../support/files.ts";
import { addMembers } from "../support/members.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let workspaceId: string;
beforeAll(async () => {
  server = await sharedServer();
  ({ api, workspaceId } = await newWorkspace(server.url));
});

const files = (rest = "") => `/v1/workspaces/${workspaceId}/files${rest}`;

describe("a file", () => {
  it("is returned as it was sent, with its name, type and hash", async () => {
    const bytes = randomBytes(300_000);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const sent = await upload(api, workspaceId, bytes, { name: "Bericht „Mai“.pdf", type: "application/pdf" });
    expect(sent).toMatchObject({
      status: 201,
      body: { workspaceId, name: "Bericht „Mai“.pdf", type: "application/pdf", size: 300_000, sha256 },
    });
    const got = await download(api, workspaceId, sent.body.id as string);
    expect(got.status).toBe(200);
    expect(got.bytes.equals(bytes)).toBe(true);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      etag: `"${sha256}"`,
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="Bericht _Mai_.pdf"; filename*=UTF-8''Bericht%20%E2%80%9EMai%E2%80%9C.pdf`,
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
      "content-security-policy": expect.stringContaining("sandbox") as string,
    });
    const { body } = await api.get(files());
    expect(body).toEqual(expect.arrayContaining([sent.body]));
  });

  it("is stored once if it arrives again under its name, and twice under two names", async () => {
    const first = await upload(api, workspaceId, "the same words");
    const again = await upload(api, workspaceId, "the same words");
    const other = await upload(api, workspaceId, "the same words", { name: "other.txt" });
    expect(again.body.id).toBe(first.body.id);
    expect(other.body.id).not.toBe(first.body.id);
    expect((await download(api, workspaceId, first.body.id as string)).bytes.toString()).toBe("the same words");
  });

  it("can be requested in ranges", async () => {
    const { body } = await upload(api, workspaceId, "0123456789");
    const get = (headers: Record<string, string>) => download(api, workspaceId, body.id as string, headers);
    const etag = `"${body.sha256 as string}"`;
    const told = async (headers: Record<string, string>) => {
      const { status, bytes, headers: got } = await get(headers);
      return [status, bytes.toString(), got.get("content-range")];
    };
    expect(await told({ range: "bytes=2-4" })).toEqual([206, "234", "bytes 2-4/10"]);
    expect(await told({ range: "bytes=8-" })).toEqual([206, "89", "bytes 8-9/10"]);
    expect(await told({ range: "bytes=-3" })).toEqual([206, "789", "bytes 7-9/10"]);
    expect(await told({ range: "bytes=0-99" })).toEqual([206, "0123456789", "bytes 0-9/10"]);
    expect(await told({ range: "bytes=2-4", "if-range": etag })).toEqual([206, "234", "bytes 2-4/10"]);
    expect(await told({ range: "bytes=2-4", "if-range": '"other"' })).toEqual([200, "0123456789", null]);
    expect(await told({ range: "bytes=4-2" })).toEqual([200, "0123456789", null]);
    expect(await told({ range: "bytes=0-1,3-4" })).toEqual([200, "0123456789", null]);
    const beyond = await get({ range: "bytes=10-" });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */10"]);
    expect((await get({ "if-none-match": etag })).status).toBe(304);
  });

  it("may be empty", async () => {
    const { body } = await upload(api, workspaceId, "", { name: "empty" });
    expect(body).toMatchObject({ size: 0 });
    const got = await download(api, workspaceId, body.id as string);
    expect([got.status, got.bytes.length]).toEqual([200, 0]);
  });

  it("is no longer found after it was deleted", async () => {
    const { body } = await upload(api, workspaceId, "to be deleted");
    const path = files(`/${body.id as string}`);
    expect((await api.delete(path)).status).toBe(204);
    expect((await download(api, workspaceId, body.id as string)).status).toBe(404);
    expect((await api.delete(path)).status).toBe(404);
    const again = await upload(api, workspaceId, "to be deleted");
    expect(again.body.id).not.toBe(body.id);
  });
});

describe("access to files", () => {
  it("depends on the role, and is limited to the workspace", async () => {
    const { body } = await upload(api, workspaceId, "for members");
    const id = body.id as string;
    const viewer = await register(server.url);
    await addMembers(server.dataDir, [{ workspaceId, userId: viewer.userId, role: "viewer" }]);
    const stranger = await newWorkspace(server.url);
    expect((await download(viewer, workspaceId, id)).bytes.toString()).toBe("for members");
    expect((await upload(viewer, workspaceId, "no")).status).toBe(403);
    expect((await viewer.delete(files(`/${id}`))).status).toBe(403);
    for (const [who, where, expected] of [
      [stranger.api, workspaceId, 404],
      [stranger.api, stranger.workspaceId, 404],
      [api.as("nonsense"), workspaceId, 401],
    ] as const)
      expect((await download(who, where, id)).status).toBe(expected);
    expect((await upload(stranger.api, workspaceId, "no")).status).toBe(404);
    expect((await stranger.api.get(`/v1/workspaces/${stranger.workspaceId}/files`)).body).toEqual([]);
  });

  it("is in the audit log", async () => {
    const { body } = await upload(api, workspaceId, "watched");
    await api.delete(files(`/${body.id as string}`));
    const { body: entries } = await api.get(`/v1/workspaces/${workspaceId}/audit`);
    const actions = (entries as { action: string; resourceId: string | null }[])
      .filter(entry => entry.resourceId === body.id)
      .map(({ action }) => action);
    expect(actions).toEqual(["files.remove", "files.create"]);
  });
});

describe("an upload", () => {
  it.each([
    ["../../etc/passwd", 400],
    ["a\u0000b", 400],
    ["", 400],
    ["x".repeat(256), 400],
    ["..", 201],
  ])("with the name %j is answered %i", async (name, status) => {
    expect((await upload(api, workspaceId, "x", { name })).status).toBe(status);
  });

  it("gets a media type that is safe to send back", async () => {
    const { body } = await upload(api, workspaceId, "<script>", { name: "x", type: "Text/HTML; charset=utf-8; x=y" });
    expect(body.type).toBe("application/octet-stream");
  });

  it("is stored once for one Idempotency-Key", async () => {
    const headers = { "idempotency-key": "once" };
    const first = await upload(api, workspaceId, "once", { name: "once", headers });
    const again = await upload(api, workspaceId, "once", { name: "once", headers });
    const other = await upload(api, workspaceId, "twice", { name: "once", headers });
    expect([first.status, again.status, other.status]).toEqual([201, 201, 409]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
  });

  it("requires a session", async () => {
    const someone = await register(server.url);
    expect((await upload(someone, workspaceId, "x")).status).toBe(404);
    expect((await upload(someone.as(""), workspaceId, "x")).status).toBe(401);
  });
});
