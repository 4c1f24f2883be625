import { createHmac, randomBytes } from "node:crypto";
import { openStore } from "../../adapters/store/open-store.ts";
import { files } from "../../services/files/model.ts";
import { type Api, newWorkflow, newWorkspace } from "../support/api.ts";
import { definition, gives } from "../support/definition.ts";
import { download } from "../support/files.ts";
import { storeAt } from "../support/real-servers.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";
import { until } from "../support/until.ts";
import { type Hook, newHook, runsOf, send } from "../support/webhooks.ts";

let server: Server;
let api: Api;
let workspaceId: string;
let space: string;
let hook: Hook;
beforeAll(async () => {
  server = await sharedServer();
  ({ api, workspaceId, space } = await newWorkspace(server.url));
  hook = await newHook(api, space);
});

const BYTES = Buffer.concat([Buffer.from([0xff, 0xd8, 0x00]), randomBytes(600_000)]);
const WAIT = { prefer: "wait=30" };
const secretOf = ({ secret }: Hook) => ({ ...WAIT, "x-webhook-secret": secret });

/** A form as a browser encodes it. */
async function encoded(form: FormData): Promise<{ body: Buffer; type: string }> {
  const made = new Response(form);
  return { body: Buffer.from(await made.arrayBuffer()), type: made.headers.get("content-type")! };
}

const bytesOf = async (id: string) => (await download(api, workspaceId, id)).bytes;
const filesOf = async () => (await api.get(`/v1/workspaces/${workspaceId}/files`)).body as { id: string }[];

describe("the body of a delivery", () => {
  it("becomes a file if it is neither JSON, a form nor text", async () => {
    const headers = { ...secretOf(hook), "content-type": "image/jpeg", "content-disposition": 'x; filename="a b.jpg"' };
    const { status, body } = await send(hook.url, BYTES, headers);
    expect(status).toBe(201);
    expect(body.output).toEqual({
      $file: expect.objectContaining({ name: "a b.jpg", type: "image/jpeg", size: BYTES.length }) as object,
    });
    expect((await bytesOf(body.output.$file.id as string)).equals(BYTES)).toBe(true);
  });

  it("is parsed as a form with files, texts and JSON", async () => {
    const form = new FormData();
    form.append("title", "Ein Titel „Ä“");
    form.append("tag", "a");
    form.append("tag", "b");
    form.append("picture", new Blob([BYTES], { type: "image/jpeg" }), "Bild ü.jpg");
    form.append("none", new Blob([]), "");
    form.append("__proto__", "x");
    const { body: sent, type } = await encoded(form);
    const json = 'Content-Disposition: form-data; name="about"\r\nContent-Type: application/json\r\n\r\n{"a":[1]}\r\n';
    const boundary = type.split("boundary=")[1]!;
    const whole = Buffer.concat([Buffer.from(`--${boundary}\r\n${json}`), sent]);
    const { body } = await send(hook.url, whole, { ...secretOf(hook), "content-type": type });
    expect(body.output).toEqual({
      about: { a: [1] },
      title: "Ein Titel „Ä“",
      tag: ["a", "b"],
      picture: { $file: expect.objectContaining({ name: "Bild ü.jpg", type: "image/jpeg" }) as object },
    });
    expect((await bytesOf(body.output.picture.$file.id as string)).equals(BYTES)).toBe(true);
  });

  it("is verified by a signature over the received bytes, also if it is a form", async () => {
    const signed = await newHook(api, space, { auth: { type: "hmac", preset: "github" } });
    const form = new FormData();
    form.append("document", new Blob([BYTES], { type: "application/pdf" }), "b.pdf");
    const { body: sent, type } = await encoded(form);
    const by = (bytes: Buffer, key = signed.secret) => ({
      "x-hub-signature-256": `sha256=${createHmac("sha256", key).update(bytes).digest("hex")}`,
    });
    const whole = await send(signed.url, BYTES, { ...WAIT, ...by(BYTES), "content-type": "application/pdf" });
    expect(whole.body.output).toMatchObject({ $file: { name: "file", size: BYTES.length } });
    const parts = await send(signed.url, sent, { ...WAIT, ...by(sent), "content-type": type });
    expect(parts.body.output.document).toMatchObject({ $file: { name: "b.pdf", size: BYTES.length } });
    expect((await bytesOf(parts.body.output.document.$file.id as string)).equals(BYTES)).toBe(true);
    const before = await filesOf();
    const wrong = await send(signed.url, BYTES, { ...by(BYTES, "another"), "content-type": "application/zip" });
    const changed = await send(signed.url, sent, { ...by(BYTES), "content-type": type });
    expect([wrong.status, changed.status]).toEqual([401, 401]);
    expect(await filesOf()).toEqual(before);
    expect(await runsOf(api, space, signed)).toHaveLength(2);
  });

  it("is also stored unchanged if the webhook keeps raw bodies", async () => {
    const keeps = await newHook(
      api,
      space,
      { keepRaw: true },
      definition([gives("a", "{{ [input, trigger.rawBody] }}")]),
    );
    const headers = { ...secretOf(keeps), "content-type": "application/x-ndjson" };
    const { body } = await send(keeps.url, "ä\nb", headers);
    expect(body.output).toEqual([{ $file: expect.objectContaining({ size: 4 }) as object }, "ä\nb"]);
    expect((await send(keeps.url, BYTES.subarray(0, 100), headers)).status).toBe(415);
    expect((await send(keeps.url, Buffer.alloc(262_145, "a"), headers)).status).toBe(413);
  });

  it("starts one run if it is repeated, although the ids of its files differ", async () => {
    const form = new FormData();
    form.append("a", new Blob(["once"], { type: "application/zip" }), "once.zip");
    const headers = async () => {
      const { body, type } = await encoded(form);
      return [body, { ...secretOf(hook), "content-type": type, "idempotency-key": "one-form" }] as const;
    };
    const [sent, first] = await headers();
    const one = await send(hook.url, sent, first);
    const again = await send(hook.url, ...(await headers()));
    expect([again.status, again.body.id]).toEqual([201, one.body.id]);
    form.append("b", "another");
    expect((await send(hook.url, ...(await headers()))).status).toBe(409);
  });
});

describe("a delivery that is refused", () => {
  const part = (head: string, text: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const multipart = (text: string) =>
    send(hook.url, text, { ...secretOf(hook), "content-type": "multipart/form-data; boundary=b" });

  it.each([
    ["has no end", part('name="a"; filename="x"', "text"), 400],
    ["has no parts", "nothing", 400],
    ["ends in a file", '--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\ntext', 400],
    ["has JSON that is none", `${part('name="a"\r\nContent-Type: application/json', "{")}--b--\r\n`, 400],
    ["has too many files", `${part('name="a"; filename="x"', "t").repeat(101)}--b--\r\n`, 400],
    ["has too many parts", `${part('name="a"', "t").repeat(1_001)}--b--\r\n`, 400],
    ["has texts that are too large", `${part('name="a"', "t".repeat(600_000)).repeat(2)}--b--\r\n`, 413],
  ])("leaves no file if its form %s", async (_what, text, status) => {
    const before = [await filesOf(), await runsOf(api, space, hook)];
    expect((await multipart(text)).status).toBe(status);
    expect([await filesOf(), await runsOf(api, space, hook)]).toEqual(before);
  });

  it("leaves no bytes behind", async () => {
    await multipart('--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\ntext');
    const store = await openStore({ ...storeAt(server.dataDir), collections: [files] });
    try {
      const all = store.tenant(files, workspaceId);
      await until(async () => (await all.count({ state: { $ne: "stored" } })) === 0);
    } finally {
      await store.close();
    }
  });

  it("has a missing boundary or a compressed body", async () => {
    const headers = (more: object) => ({ ...secretOf(hook), ...more });
    expect((await send(hook.url, "x", headers({ "content-type": "multipart/form-data" }))).status).toBe(400);
    const zipped = headers({ "content-type": "image/png", "content-encoding": "gzip" });
    expect((await send(hook.url, "x", zipped)).status).toBe(415);
  });

  it("has the wrong secret, and its body is not read", async () => {
    const before = await filesOf();
    const headers = { "x-webhook-secret": "wrong", "content-type": "image/png" };
    expect((await send(hook.url, BYTES, headers)).status).toBe(401);
    expect(await filesOf()).toEqual(before);
  });
});

describe("a run that is started by a form", () => {
  const start = async (form: FormData, token = api.token, where = space) => {
    const { body, type } = await encoded(form);
    const headers = { authorization: `Bearer ${token}`, ...WAIT, "content-type": type };
    return send(`${api.url}${where}/executions`, body, headers);
  };
  const formOf = (fields: Record<string, string | Blob>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields))
      if (typeof value === "string") form.append(name, value);
      else form.append(name, value, "report.pdf");
    return form;
  };
  let workflowId: string;
  beforeAll(async () => (workflowId = await newWorkflow(api, space, definition([gives("a", "{{ input }}")]))));
  const report = () => new Blob([new Uint8Array(BYTES)], { type: "application/pdf" });

  it("has files and texts in its input", async () => {
    const { status, body } = await start(
      formOf({ workflowId, input: '{"a":1}', version: "1", report: report(), note: "n" }),
    );
    expect(status).toBe(201);
    expect(body.output).toEqual({
      ...{ a: 1, note: "n" },
      report: { $file: expect.objectContaining({ name: "report.pdf", size: BYTES.length }) as object },
    });
    expect((await bytesOf(body.output.report.$file.id as string)).equals(BYTES)).toBe(true);
    const whole = await start(formOf({ workflowId, input: report() }));
    expect(whole.body.output).toMatchObject({ $file: { name: "report.pdf" } });
  });

  it("is rejected with the place of the fault", async () => {
    const faultOf = async (fields: Record<string, string | Blob>) => {
      const { status, body } = await start(formOf({ workflowId, ...fields }));
      return [status, body.errors?.[0]?.path];
    };
    expect(await faultOf({ input: "{" })).toEqual([400, "/input"]);
    expect(await faultOf({ input: "[]", report: report() })).toEqual([400, "/input"]);
    expect(await faultOf({ input: '{"report":1}', report: report() })).toEqual([400, "/input/report"]);
    expect(await faultOf({ version: "latest" })).toEqual([400, "/version"]);
    expect((await start(formOf({ report: report() }))).status).toBe(400);
  });

  it("needs the role editor before a file is stored", async () => {
    const stranger = await newWorkspace(api.url);
    expect((await start(formOf({ workflowId, report: report() }), stranger.api.token)).status).toBe(404);
    expect((await start(formOf({ workflowId, report: report() }), "nonsense")).status).toBe(401);
    expect((await stranger.api.get(`/v1/workspaces/${stranger.workspaceId}/files`)).body).toEqual([]);
  });
});
