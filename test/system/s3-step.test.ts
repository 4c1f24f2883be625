import { createHash, randomBytes } from "node:crypto";
import { type Api, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { type Endpoint, startEndpoint } from "../support/endpoint.ts";
import { download, upload, valueOf } from "../support/files.ts";
import { S3_ACCESS, type S3Server, startS3Server } from "../support/s3-server.ts";
import { sharedServer } from "../support/shared.ts";

let s3: S3Server;
let thief: Endpoint;
let api: Api;
let workspaceId: string;
let space: string;
let credential: string;
const newCredential = async (type: string, data: object, more: object = {}): Promise<string> => {
  const given = { name: `c${Math.random()}`, type, data, ...more };
  const { status, body } = await api.post(`/v1/workspaces/${workspaceId}/credentials`, given);
  expect(status).toBe(201);
  return body.id as string;
};
beforeAll(async () => {
  const server = await sharedServer();
  [s3, thief] = await Promise.all([startS3Server(), startEndpoint()]);
  ({ api, workspaceId, space } = await newWorkspace(server.url));
  credential = await newCredential("s3", { endpoint: s3.endpoint, ...S3_ACCESS });
});
afterAll(() => Promise.all([s3.close(), thief.close()]));
beforeEach(() => s3.objects.clear());

const ONCE = { policy: { retry: { maxAttempts: 1 } } };
const run = (data: object, input: unknown = null, extra: object = ONCE) =>
  runToEnd(api, space, definition([node("a", "s3", { credential, ...data }, extra)]), input);
const md5 = (bytes: Buffer | string) => `"${createHash("md5").update(bytes).digest("hex")}"`;

test("stores a file under any key, and reads it again byte for byte", async () => {
  const bytes = randomBytes(700_001);
  const sent = await upload(api, workspaceId, bytes, { name: "a.bin", type: "image/png" });
  const key = "Ü b/(1)'*!/+&=%/a b.png";
  const put = await run(
    { action: "put", key: "{{ input.key }}", body: "{{ input.file }}" },
    { key, file: valueOf(sent.body) },
  );
  expect(put.output).toEqual({ bucket: "bucket", key, etag: md5(bytes), size: bytes.length });
  expect(s3.objects.get(key)!.equals(bytes)).toBe(true);
  const { output } = await run({ action: "get", key });
  expect(output).toMatchObject({ bucket: "bucket", key, file: { $file: { name: "a b.png", size: bytes.length } } });
  expect((await download(api, workspaceId, output.file.$file.id as string)).bytes.equals(bytes)).toBe(true);
});

test("stores texts and other values, lists them over pages, and deletes them", async () => {
  expect((await run({ action: "put", key: "t/text", body: "größe" })).output.size).toBe(7);
  expect((await run({ action: "put", key: "t/json", body: { a: [1, "{{ input }}"] } }, 2)).output.size).toBe(11);
  expect(s3.objects.get("t/json")!.toString()).toBe('{"a":[1,2]}');
  for (let n = 0; n < 1_100; n++) s3.objects.set(`n/${String(n).padStart(4, "0")} +<&`, Buffer.from("x"));
  const { output: some } = await run({ action: "list", prefix: "t/" });
  const lastModified = "2026-01-01T00:00:00.000Z";
  expect(some).toEqual({
    bucket: "bucket",
    objects: [
      { key: "t/json", size: 11, etag: md5('{"a":[1,2]}'), lastModified },
      { key: "t/text", size: 7, etag: md5("größe"), lastModified },
    ],
    truncated: false,
  });
  const { output: all } = await run({ action: "list", prefix: "n/", limit: 1_050 });
  expect([all.objects.length, all.truncated, all.objects[1_049].key]).toEqual([1_050, true, "n/1049 +<&"]);
  for (const key of ["t/text", "t/none"])
    expect((await run({ action: "delete", key })).output).toEqual({ bucket: "bucket", key, deleted: true });
  expect(s3.objects.has("t/text")).toBe(false);
});

test("reads and stores with a presigned URL without the credential", async () => {
  const put = await run({ action: "presign", key: "p q", method: "PUT", expiresInSeconds: 60 });
  expect((await fetch(put.output.url as string, { method: "PUT", body: "by address" })).status).toBe(200);
  const { output } = await run({ action: "presign", key: "p q" });
  expect(await (await fetch(output.url as string)).text()).toBe("by address");
  expect((await fetch((output.url as string).replace("p%20q", "other"))).status).toBe(403);
  expect(JSON.stringify(output)).not.toContain(S3_ACCESS.secretAccessKey);
  const session = await newCredential("s3", { endpoint: s3.endpoint, ...S3_ACCESS, sessionToken: "a-session-token" });
  const refused = await run({ action: "presign", key: "p", credential: session });
  expect(refused.error.code).toBe("credential_not_usable");
});

test("does not let a key address another object or bucket", async () => {
  s3.objects.set("secret", Buffer.from("x"));
  for (const key of ["../other/secret", "a/../../secret", ".", "a/./b"])
    expect((await run({ action: "get", key: "{{ input }}" }, key)).error.code).toBe("invalid_data");
  for (const bucket of ["a/b", "..", "UPPER", "x?y=1", "a@b"])
    expect((await run({ action: "get", key: "secret", bucket: "{{ input }}" }, bucket)).error.code).toBe(
      "invalid_data",
    );
  // What is syntax elsewhere is a character of the key here.
  for (const key of ["?list-type=2", "#secret", "%2e%2e/secret", "//evil.example/x", "\\..\\x"]) {
    await run({ action: "put", key: "{{ input }}", body: "k" }, key);
    expect(s3.objects.get(key)?.toString()).toBe("k");
  }
});

test("reports the storage's error, and retries if it is transient", async () => {
  expect((await run({ action: "get", key: "none" })).error).toMatchObject({ code: "object_not_found" });
  const wrong = await newCredential("s3", { endpoint: s3.endpoint, ...S3_ACCESS, secretAccessKey: "wrong-secret" });
  const { error } = await run({ action: "list", credential: wrong });
  expect(error).toMatchObject({
    code: "storage_refused",
    message: expect.stringContaining("SignatureDoesNotMatch") as string,
  });
  expect((await run({ action: "get", key: "k", bucket: "other" })).error.message).toContain("NoSuchBucket");
  s3.faults.push(503, 500);
  const again = { policy: { retry: { maxAttempts: 3, initialMs: 1 } } };
  expect((await run({ action: "put", key: "k", body: "x" }, null, again)).status).toBe("completed");
  s3.faults.push(403);
  expect((await run({ action: "put", key: "k", body: "x" }, null, again)).error.code).toBe("storage_refused");
  expect(s3.faults).toEqual([]);
});

test("sends the credential to its hosts only, and requires the type s3", async () => {
  const bearer = await newCredential("bearer", { token: "t0ken" }, { hosts: [new URL(s3.endpoint).host] });
  expect((await run({ action: "list", credential: bearer })).error.code).toBe("credential_not_usable");
  const inside = await newCredential("s3", { ...S3_ACCESS, endpoint: "http://169.254.169.254" });
  expect((await run({ action: "list", credential: inside })).error.code).toMatch(/^outbound_/);
  const away = await newCredential("s3", { ...S3_ACCESS, region: "x.evil.example/" });
  expect((await run({ action: "list", credential: away })).error.code).not.toBe(undefined);
  const none = { ...S3_ACCESS, endpoint: s3.endpoint, bucket: undefined };
  const { error } = await run({ action: "list", credential: await newCredential("s3", none) });
  expect(error.message).toContain("/data/bucket");
  expect(thief.received("/")).toEqual([]);
});
