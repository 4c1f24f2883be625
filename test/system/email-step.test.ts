import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { type Api, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { makeCertificates } from "../support/certificates.ts";
import { definition, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { upload, valueOf } from "../support/files.ts";
import { readLog, untilEnd } from "../support/follow.ts";
import { Gate } from "../support/ledger.ts";
import { MailSink } from "../support/mail-sink.ts";
import { removeServer, type Server, startServer, temporaryFolder } from "../support/server.ts";
import { until } from "../support/until.ts";

let sink: MailSink;
let server: Server;
let api: Api;
let workspaceId: string;
let space: string;
let credential: string;
const FROM = "Shop <shop@example.com>";

const newCredential = async (type: string, data: object, more: object = {}): Promise<string> => {
  const given = { name: `c${Math.random()}`, type, data, ...more };
  const { status, body } = await api.post(`/v1/workspaces/${workspaceId}/credentials`, given);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id as string;
};
const access = (more: object = {}) => ({
  ...{ host: "127.0.0.1", port: sink.port, security: "off", username: "weft", password: "s3cret", from: FROM },
  ...more,
});
beforeAll(async () => {
  // A server of its own, because it is killed.
  [server, sink] = await Promise.all([startServer({ env: { WORKER_LEASE_MS: "1000" } }), new MailSink().start()]);
  ({ api, workspaceId, space } = await newWorkspace(server.url));
  credential = await newCredential("smtp", access());
});
afterAll(() => Promise.all([removeServer(server), sink.stop()]));
beforeEach(() => {
  sink.before = () => undefined;
  sink.mails.length = 0;
});

const ONCE = { policy: { retry: { maxAttempts: 1 } } };
const MAIL = { to: "ada@example.com", subject: "Hello", text: "A text" };
const stepOf = (data: object, extra: object = ONCE) =>
  definition([node("mail", "email", { credential, ...MAIL, ...data }, extra)]);
const run = (data: object, input: unknown = null, extra: object = ONCE) =>
  runToEnd(api, space, stepOf(data, extra), input);

test("sends an email with all of its parts", async () => {
  const bytes = Buffer.from([0, 255, 13, 10, 46, 13, 10, 200]);
  const sent = await upload(api, workspaceId, bytes, { name: 'größe "1"; a.bin', type: "image/png" });
  const smuggled = "Größe\r\n.\r\nMAIL FROM:<evil@example.com>\r\n.\n.\nend";
  const { output } = await run(
    {
      to: ["Ada Lovelace <ada@example.com>", '"Doe, Jane" <jane@example.com>'],
      ...{ cc: "grace@example.com", bcc: ["alan@example.com"], replyTo: "Help <help@example.com>" },
      ...{ subject: "Über {{ input.n }} € und mehr", text: "{{ input.text }}", html: "<p>{{ input.n }}</p>" },
      ...{ attachments: ["{{ input.file }}"], headers: { "List-Unsubscribe": "<https://example.com/{{ input.n }}>" } },
    },
    { n: 7, text: smuggled, file: valueOf(sent.body) },
  );
  const all = ["ada@example.com", "jane@example.com", "grace@example.com", "alan@example.com"];
  expect(output).toEqual({
    messageId: expect.stringMatching(/^<[0-9a-f]{40}@example\.com>$/) as string,
    accepted: all,
    rejected: [],
  });
  expect(sink.mails).toHaveLength(1);
  const [mail] = sink.mails;
  expect(mail).toMatchObject({
    messageId: output.messageId as string,
    from: { name: "Shop", address: "shop@example.com" },
    to: [{ name: "Ada Lovelace", address: "ada@example.com" }, { name: "Doe, Jane" }],
    replyTo: [{ name: "Help", address: "help@example.com" }],
    subject: "Über 7 € und mehr",
    to_: all,
  });
  expect(mail!.text!.replaceAll("\r\n", "\n").trimEnd()).toBe(smuggled.replaceAll("\r\n", "\n"));
  expect(mail!.html).toContain("<p>7</p>");
  expect(mail!.raw).toContain("List-Unsubscribe: <https://example.com/7>");
  expect(mail!.raw).not.toContain("alan@example.com");
  const [attachment] = mail!.attachments;
  expect(attachment).toMatchObject({ filename: 'größe "1"; a.bin', mimeType: "image/png" });
  expect(Buffer.from(attachment!.content as ArrayBuffer).equals(bytes)).toBe(true);
});

test.each<[string, object, string]>([
  ["a list in one text", { to: "{{ input }}" }, "ada@example.com, evil@example.com"],
  ["a second recipient behind a line break", { to: "{{ input }}" }, "ada@example.com\r\nBcc: evil@example.com"],
  ["a line break in the name", { cc: "{{ input }}" }, "Ada\r\nBcc: evil@example.com <ada@example.com>"],
  ["a command in the address", { bcc: ["{{ input }}"] }, "ada@example.com> NOTIFY=SUCCESS"],
  ["a group", { to: "{{ input }}" }, "all: ada@example.com, evil@example.com;"],
  ["a line break in the subject", { subject: "{{ input }}" }, "Hi\r\nBcc: evil@example.com"],
  ["a line break in the sender", { from: "{{ input }}" }, "shop@example.com\nBcc: evil@example.com"],
  ["a line break in the address for answers", { replyTo: "{{ input }}" }, "a@example.com\nBcc: evil@example.com"],
  ["a line break in a header", { headers: { "X-Tag": "{{ input }}" } }, "x\r\nBcc: evil@example.com"],
  ["a file that does not exist", { attachments: [{ $file: { id: "{{ input }}" } }] }, crypto.randomUUID()],
])("rejects %s before anything is sent", async (_, data, input) => {
  expect((await run(data, input)).error).toMatchObject({ code: "invalid_data" });
  expect(sink.mails).toEqual([]);
});

test.each(["Bcc", "from", "Message-ID", "Content-Type", "DKIM-Signature", "X Tag", "X-Tag:"])(
  "rejects the header %s, which no step may set",
  async name => {
    expect((await run({ headers: { [name]: "evil@example.com" } })).error.code).toMatch(/^invalid_d/);
    expect(sink.mails).toEqual([]);
  },
);

test("sends the credential to its own server only, and never without the required encryption", async () => {
  const bearer = await newCredential("bearer", { token: "t0ken" }, { hosts: [`127.0.0.1:${sink.port}`] });
  expect((await run({ credential: bearer })).error.code).toBe("credential_not_usable");
  const inside = await newCredential("smtp", access({ host: "169.254.169.254" }));
  expect((await run({ credential: inside })).error.code).toBe("outbound_refused");
  const plain = await newCredential("smtp", access({ security: "starttls" }));
  expect((await run({ credential: plain })).error).toMatchObject({ code: "mail_refused" });
  const wrong = await newCredential("smtp", access({ password: "wr0ng-word" }));
  expect((await run({ credential: wrong })).error).toMatchObject({ code: "mail_refused" });
  const nameless = await newCredential("smtp", access({ from: undefined }));
  expect((await run({ credential: nameless })).error).toMatchObject({ code: "invalid_data" });
  const away = await newCredential("smtp", access({ port: 9 }));
  expect((await run({ credential: away })).error.code).toBe("outbound_failed");
  expect(sink.mails).toEqual([]);
});

test.each(["once", "starttls"] as const)("checks the certificate of a connection that is encrypted at %s", async at => {
  const folder = await temporaryFolder();
  const { ca, cert, key } = makeCertificates(folder);
  const secure = await new MailSink({ at, cert: readFileSync(cert), key: readFileSync(key) }).start();
  try {
    const data = { port: secure.port, security: at === "once" ? "tls" : "starttls" };
    const untrusted = await newCredential("smtp", access(data));
    expect((await run({ credential: untrusted })).error).toMatchObject({ code: "tls_failed" });
    const trusted = await newCredential("smtp", access({ ...data, ca: readFileSync(ca, "utf8") }));
    expect((await run({ credential: trusted })).status).toBe("completed");
    expect(secure.mails).toHaveLength(1);
    const other = await newCredential("smtp", access({ ...data, port: sink.port }));
    const wrong =
      at === "once"
        ? { code: "tls_failed", message: expect.stringMatching(/answers without TLS at this port$/) }
        : { code: "mail_refused" };
    expect((await run({ credential: other })).error).toMatchObject(wrong);
    expect(sink.mails).toEqual([]);
  } finally {
    await secure.stop();
    await rm(folder, { recursive: true });
  }
});

test("reads secrets in headers if their hosts include the mail server, and masks them in its answers", async () => {
  const name = "Tags";
  const headers = { "X-Tag": `{{ secrets.${name}.tag }}` };
  const tags = { name, hosts: ["api.example.com"] };
  const id = await newCredential("fields", { tag: "a-secret-tag" }, tags);
  expect((await run({ headers })).error.code).toBe("credential_host_not_allowed");
  const hosts = [`127.0.0.1:${sink.port}`];
  await api.patch(`/v1/workspaces/${workspaceId}/credentials/${id}`, { hosts, data: { tag: "a-secret-tag" } });
  expect((await run({ headers })).status).toBe("completed");
  expect(sink.mails[0]!.raw).toContain("X-Tag: a-secret-tag");
  sink.before = () => Promise.reject(Object.assign(new Error("no a-secret-tag, no s3cret"), { responseCode: 550 }));
  const failed = await run({ headers });
  expect(failed.error).toMatchObject({
    code: "mail_refused",
    message: expect.stringContaining("no •••, no •••") as string,
  });
  expect(JSON.stringify(await readLog(api, `${space}/executions/${failed.id}`))).not.toMatch(/a-secret-tag|s3cret/);
});

test("retries a temporary rejection but no permanent one, and sends nothing in a test", async () => {
  const again = { policy: { retry: { maxAttempts: 3, initialMs: 1 } } };
  let refusals = 0;
  sink.before = () => {
    if (refusals++ === 0) throw Object.assign(new Error("later"), { responseCode: 451 });
  };
  expect((await run({}, null, again)).status).toBe("completed");
  expect(refusals).toBe(2);
  sink.before = () => {
    refusals++;
    throw Object.assign(new Error("never"), { responseCode: 554 });
  };
  expect((await run({}, null, again)).error.code).toBe("mail_refused");
  expect(refusals).toBe(3);
  sink.mails.length = 0;
  const workflowId = await newWorkflow(api, space, stepOf({}));
  const { body } = await api.post(`${space}/workflows/${workflowId}/test`, { nodeId: "mail" });
  expect(body).toMatchObject({ outcome: "completed", output: { accepted: [], rejected: [] } });
  expect(sink.mails).toEqual([]);
});

test("sends the email again with the same Message-ID if it is killed during delivery", async () => {
  const [gate, began] = [new Gate(), new Gate()];
  let count = 0;
  sink.before = async () => {
    if (++count > 1) return;
    began.open();
    await gate.opened;
  };
  const { path } = await start(api, space, await newWorkflow(api, space, stepOf({})));
  await began.opened;
  const { dataDir } = server;
  await server.stop("SIGKILL");
  gate.open();
  server = await startServer({ dataDir, env: { WORKER_LEASE_MS: "1000" } });
  api = api.at(server.url);
  const { status, output } = await untilEnd(api, path);
  expect(status).toBe("completed");
  await until(() => sink.mails.length === 2);
  expect(new Set(sink.mails.map(({ messageId }) => messageId))).toEqual(new Set([output.messageId]));
});
