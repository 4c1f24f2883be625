import { openStore } from "../../adapters/store/open-store.ts";
import { fileHolds } from "../../services/files/model.ts";
import { type Api, type Json, newWorkflow, newWorkspace, register } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { upload, uploadTo, valueOf } from "../support/files.ts";
import { untilEnd, untilEvent } from "../support/follow.ts";
import { addMembers } from "../support/members.ts";
import { storeAt } from "../support/real-servers.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let workspaceId: string;
let space: string;
let viewer: Awaited<ReturnType<typeof register>>;
let other: Awaited<ReturnType<typeof register>>;
beforeAll(async () => {
  server = await sharedServer();
  ({ api, workspaceId, space } = await newWorkspace(server.url));
  viewer = await register(server.url);
  other = await register(server.url);
  await addMembers(
    server.dataDir,
    [viewer, other].map(({ userId }) => ({ workspaceId, userId, role: "viewer" as const })),
  );
});

const file = (hints: object = {}) => ({ type: "object", "x-weft": { widget: "file", ...hints } });
const formOf = (properties: object, required: string[] = []) => ({ type: "object", properties, required });
const pdf = file({ types: ["application/pdf", "image/*"], maxBytes: 1_000 });
const FORM = formOf({ invoice: pdf, pages: { type: "array", items: file() } }, ["invoice"]);

/** Starts a run that asks the viewer by this form, and gives its path. */
async function asking(form: object | undefined = FORM): Promise<string> {
  const data = { prompt: "The invoice?", ...(form && { form }), assignees: [viewer.userId] };
  const what = definition([node("h", "human", data), gives("out", "{{ steps.h.data }}")], "h:approved > out");
  const { body } = await api.post(`${space}/executions`, { workflowId: await newWorkflow(api, space, what) });
  const path = `${space}/executions/${body.id}`;
  await untilEvent(api, path, "execution.suspended");
  return path;
}

const send = (path: string, { token }: { token: string }, bytes: string) =>
  uploadTo({ url: server.url, token }, `${path}/files`, bytes, { name: "invoice.pdf", type: "application/pdf" });
const answer = (path: string, who: Api, data: unknown) => who.patch(`${path}/respond`, { approved: true, data });
const idOf = (made: Json) => ({ $file: { id: made.body.id as string } });

test("lets people who may answer upload a file, which becomes part of the output", async () => {
  const path = await asking();
  const sent = await send(path, viewer, "%PDF");
  expect(sent).toMatchObject({ status: 201, body: { name: "invoice.pdf", type: "application/pdf", size: 4 } });
  // What the client says of the file besides its id does not count.
  const lies = { $file: { ...idOf(sent).$file, name: "x.exe", type: "text/html", size: 1, sha256: "0".repeat(64) } };
  expect((await answer(path, viewer, { invoice: lies, pages: [idOf(sent)] })).status).toBe(200);
  const run = await untilEnd(api, path);
  expect(run.output).toEqual({ invoice: valueOf(sent.body), pages: [valueOf(sent.body)] });
  const store = await openStore({ ...storeAt(server.dataDir), collections: [fileHolds] });
  try {
    const { items } = await store
      .tenant(fileHolds, workspaceId)
      .find({ fileId: sent.body.id as string }, { limit: 10 });
    expect(items.map(({ owner }) => owner)).toEqual([`execution:${run.id}`]);
  } finally {
    await store.close();
  }
});

test("rejects an upload by other people, after the answer, or for a question without a file", async () => {
  const path = await asking();
  const stranger = await newWorkspace(server.url);
  expect((await send(path, other, "%PDF")).body).toMatchObject({ status: 403, code: "role_too_low" });
  expect((await send(path, stranger.api, "%PDF")).status).toBe(404);
  expect((await send(path, { token: "" }, "%PDF")).status).toBe(401);
  expect((await upload(viewer, workspaceId, "x")).status).toBe(403);
  const sent = await send(path, api, "%PDF");
  expect((await answer(path, api, { invoice: idOf(sent) })).status).toBe(200);
  await untilEnd(api, path);
  expect((await send(path, viewer, "%PDF")).body).toMatchObject({ status: 409, code: "execution_not_suspended" });
  const none = await asking(formOf({ note: { type: "string" } }));
  expect((await send(none, viewer, "%PDF")).body).toMatchObject({ status: 400, code: "validation_failed" });
});

test("rejects an answer whose file breaks the rules of the form or belongs to another workspace", async () => {
  const path = await asking();
  expect((await send(path, viewer, "x".repeat(2_000))).status).toBe(201); // `pages` takes any size.
  const large = await upload(api, workspaceId, "x".repeat(1_001), { name: "a.pdf", type: "application/pdf" });
  const text = await upload(api, workspaceId, "x", { name: "a.txt" });
  const image = await upload(api, workspaceId, "x", { name: "a.png", type: "image/png" });
  const stranger = await newWorkspace(server.url);
  const foreign = await upload(stranger.api, stranger.workspaceId, "x", { name: "a.png", type: "image/png" });
  const faultOf = async (data: object) => {
    const { status, body } = await answer(path, viewer, data);
    return [status, body.errors?.[0]?.path, body.errors?.[0]?.message];
  };
  const at = "/data/invoice";
  expect(await faultOf({ invoice: idOf(large) })).toEqual([400, at, expect.stringContaining("1000 bytes")]);
  expect(await faultOf({ invoice: idOf(text) })).toEqual([400, at, expect.stringContaining("text/plain")]);
  expect(await faultOf({ invoice: idOf(foreign) })).toEqual([400, at, "The file does not exist."]);
  expect(await faultOf({ invoice: { name: "a" } })).toEqual([400, at, expect.stringContaining("Expected a file")]);
  expect(await faultOf({ invoice: idOf(image), pages: [idOf(foreign)] })).toEqual([
    ...[400, "/data/pages/0", "The file does not exist."],
  ]);
  expect((await answer(path, viewer, { invoice: idOf(image) })).status).toBe(200);
  const small = await asking(formOf({ invoice: pdf }));
  expect((await send(small, viewer, "x".repeat(1_001))).status).toBe(413);
});
