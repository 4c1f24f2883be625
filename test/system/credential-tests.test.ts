import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type Api, newWorkspace } from "../support/api.ts";
import { describeWithDatabase } from "../support/databases.ts";
import { MailSink } from "../support/mail-sink.ts";
import { startS3Server, S3_ACCESS, type S3Server } from "../support/s3-server.ts";
import { sharedServer } from "../support/shared.ts";

let api: Api;
let workspaceId: string;
beforeAll(async () => void ({ api, workspaceId } = await newWorkspace((await sharedServer()).url)));

async function tested(type: string, data: object, more: object = {}) {
  const path = `/v1/workspaces/${workspaceId}/credentials`;
  const created = await api.post(path, { name: `c${Math.random()}`, type, data, ...more });
  expect(created).toMatchObject({ status: 201 });
  const { status, body } = await api.post(`${path}/${created.body.id}/test`, {});
  expect(status).toBe(200);
  return body as { ok: boolean; message: string; status: number | null; body: string | null };
}

describe.each(["postgres", "mysql"] as const)("the test of a credential for a database", kind => {
  describeWithDatabase(kind, database => {
    test("succeeds only with valid data", async () => {
      const { access, ca } = database();
      expect(await tested(kind, access)).toMatchObject({ ok: true, message: expect.stringContaining('"weft"') });
      expect(await tested(kind, { ...access, tls: "verify", ca })).toMatchObject({ ok: true });
      const untrusted = await tested(kind, { ...access, tls: "verify" });
      expect(untrusted).toMatchObject({ ok: false, message: expect.stringContaining("encrypted") });
      const missing = await tested(kind, { ...access, database: "missing" });
      expect(missing).toMatchObject({ ok: false, message: expect.stringMatching(/missing|denied/) });
    });

    test("reports the database's error without the password", async () => {
      const { access } = database();
      // The server repeats the name of the user, which is the password here.
      const password = "wr0ng-pass-4711";
      const denied = await tested(kind, { ...access, username: password, password });
      expect(denied.ok).toBe(false);
      expect(denied.message).toContain("•••");
      expect(JSON.stringify(denied)).not.toContain(password);
    });

    test("goes through the outbound guard", async () => {
      const { access } = database();
      const refused = await tested(kind, { ...access, host: "169.254.169.254" });
      expect(refused).toMatchObject({ ok: false, message: expect.stringContaining("169.254.169.254") });
    });

    test("times out on a server that never answers", async () => {
      const silent = createServer(() => undefined).listen(0, "127.0.0.1");
      await once(silent, "listening");
      const { port } = silent.address() as AddressInfo;
      const late = await tested(kind, { ...database().access, port });
      expect(late).toMatchObject({ ok: false, message: expect.stringContaining("did not answer within 10") });
      silent.close();
    });
  });
});

describe("the test of a credential for a mail server", () => {
  const sink = new MailSink();
  beforeAll(() => sink.start());
  afterAll(() => sink.stop());
  const data = () => ({ host: "127.0.0.1", port: sink.port, security: "off", username: "weft", password: "s3cret" });

  test("signs in and sends nothing", async () => {
    expect(await tested("smtp", data())).toMatchObject({ ok: true, message: "The mail server accepts the user." });
    expect(sink.mails).toEqual([]);
  });

  test("reports the server's error without the password, and goes through the outbound guard", async () => {
    sink.wrong = given => `The password ${given} is wrong`;
    const wrong = await tested("smtp", { ...data(), password: "wr0ng-pass-4711" });
    expect(wrong).toMatchObject({ ok: false, message: expect.stringContaining("•••") });
    expect(JSON.stringify(wrong)).not.toContain("wr0ng-pass-4711");
    expect(await tested("smtp", { ...data(), security: "starttls" })).toMatchObject({ ok: false });
    expect(await tested("smtp", { ...data(), host: "169.254.169.254" })).toMatchObject({ ok: false });
  });
});

describe("the test of a credential for storage", () => {
  let storage: S3Server;
  beforeAll(async () => void (storage = await startS3Server()));
  afterAll(() => storage.close());

  test("requests an object of its bucket", async () => {
    const data = { ...S3_ACCESS, endpoint: storage.endpoint };
    expect(await tested("s3", data)).toMatchObject({ ok: true, status: 200 });
    const wrong = await tested("s3", { ...data, secretAccessKey: "wr0ng-pass-4711" });
    expect(wrong).toMatchObject({ ok: false, status: 403 });
    expect(JSON.stringify(wrong)).not.toContain("wr0ng-pass-4711");
    expect(await tested("s3", { ...data, endpoint: "http://169.254.169.254" })).toMatchObject({ ok: false });
  });
});
