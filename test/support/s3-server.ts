import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

const ACCESS = "weft-test-access";
const SECRET = "weft/test+secret=";
const MIN_PART_BYTES = 5 * 1024 * 1024;
const ALLOWED_SKEW_MS = 15 * 60_000;

/** The fields of a credential of the type `s3` for this server, except its address. */
export const S3_ACCESS = { accessKeyId: ACCESS, secretAccessKey: SECRET, region: "us-east-1", bucket: "bucket" };

/** An S3 server of one bucket, in memory. It refuses every request whose signature is not valid. */
export interface S3Server {
  /** The address for FILES_URL. */
  url: string;
  /** The address for credentials. */
  endpoint: string;
  /** The stored objects by key. */
  objects: Map<string, Buffer>;
  /** The unfinished multipart uploads by id. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>;
  /** The next requests get these statuses instead of their responses. */
  faults: number[];
  /** Called with each request, before it takes effect. */
  before: (method: string, key: string) => Promise<void> | void;
  close(): Promise<void>;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

const signingKey = (day: string, region: string) =>
  hmac(hmac(hmac(hmac(`AWS4${SECRET}`, day), region), "s3"), "aws4_request");

function compare(expected: Buffer, signature: string): void {
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(expected, given))
    throw new Refusal(403, "SignatureDoesNotMatch");
}

/** Checks a presigned address. */
function checkPresigned(req: IncomingMessage, url: URL): void {
  const given = (name: string) => url.searchParams.get(`X-Amz-${name}`) ?? "";
  const [access, ...scope] = given("Credential").split("/");
  if (access !== ACCESS) throw new Refusal(403, "InvalidAccessKeyId");
  const at = given("Date");
  const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Date.now() < time + Number(given("Expires")) * 1_000)) throw new Refusal(403, "AccessDenied");
  const query = [...url.searchParams].filter(([name]) => name !== "X-Amz-Signature");
  const shown = query.map(([key, value]) => `${encoded(key)}=${encoded(value)}`).sort();
  const path = (req.url ?? "").split("?", 1)[0]!;
  const headers = `host:${req.headers.host}\n`;
  const canonical = [req.method, path, shown.join("&"), headers, "host", "UNSIGNED-PAYLOAD"].join("\n");
  const text = ["AWS4-HMAC-SHA256", at, scope.join("/"), sha256(canonical)].join("\n");
  compare(Buffer.from(hmac(signingKey(scope[0]!, scope[1]!), text).toString("hex")), given("Signature"));
}

/** Checks AWS Signature Version 4 as its documentation describes it, from the received request. */
function checkSignature(req: IncomingMessage, url: URL, body: Buffer): void {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/((\d{8})\/([^/]+)\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, access, scope, day = "", region = "", signed = "", signature = ""] =
    form.exec(req.headers.authorization ?? "") ?? [];
  if (access !== ACCESS) throw new Refusal(403, "InvalidAccessKeyId");
  const names = signed.split(";");
  if (!names.includes("host") || !names.includes("x-amz-date")) throw new Refusal(403, "AccessDenied");
  const at = String(req.headers["x-amz-date"]);
  const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - time) < ALLOWED_SKEW_MS)) throw new Refusal(403, "RequestTimeTooSkewed");
  const hash = String(req.headers["x-amz-content-sha256"]);
  if (hash !== "UNSIGNED-PAYLOAD" && hash !== sha256(body)) throw new Refusal(400, "XAmzContentSHA256Mismatch");
  const query = [...url.searchParams].map(([key, value]) => `${encoded(key)}=${encoded(value)}`).sort();
  const headers = names.map(name => `${name}:${String(req.headers[name]).trim()}\n`).join("");
  const path = (req.url ?? "").split("?", 1)[0]!;
  const canonical = [req.method, path, query.join("&"), headers, signed, hash].join("\n");
  const key = signingKey(day, region);
  const expected = hmac(key, ["AWS4-HMAC-SHA256", at, scope, sha256(canonical)].join("\n"));
  if (!timingSafeEqual(expected, Buffer.from(signature, "hex"))) throw new Refusal(403, "SignatureDoesNotMatch");
}

const etag = (data: Buffer) => `"${createHash("md5").update(data).digest("hex")}"`;

export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server["objects"] = new Map();
  const uploads: S3Server["uploads"] = new Map();
  const faults: number[] = [];

  const xml = (res: ServerResponse, text: string) =>
    res.writeHead(200, { "content-type": "application/xml" }).end(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`);

  function complete(res: ServerResponse, key: string, id: string, body: Buffer): void {
    const upload = uploads.get(id);
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>([^<]+)</g)];
    const parts = named.map(([, number, tag]) => {
      const part = upload?.parts.get(Number(number));
      if (!part || !etag(part).includes(tag!.replace(/&quot;|"/g, ""))) throw new Refusal(400, "InvalidPart");
      return part;
    });
    if (!upload || upload.key !== key || parts.length === 0) throw new Refusal(404, "NoSuchUpload");
    if (parts.slice(0, -1).some(part => part.length < MIN_PART_BYTES)) throw new Refusal(400, "EntityTooSmall");
    const whole = Buffer.concat(parts);
    objects.set(key, whole);
    uploads.delete(id);
    xml(res, `<CompleteMultipartUploadResult><ETag>${etag(whole)}</ETag></CompleteMultipartUploadResult>`);
  }

  function read(req: IncomingMessage, res: ServerResponse, key: string): void {
    const data = objects.get(key);
    if (!data) throw new Refusal(404, "NoSuchKey");
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(req.headers.range ?? "") ?? [];
    if (from === undefined) return void res.writeHead(200, { etag: etag(data) }).end(data);
    if (Number(from) >= data.length) throw new Refusal(416, "InvalidRange");
    const part = data.subarray(Number(from), to ? Number(to) + 1 : undefined);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${data.length}`;
    res.writeHead(206, { "content-range": range, etag: etag(data) }).end(part);
  }

  function listed(res: ServerResponse, query: URLSearchParams): void {
    const after = Buffer.from(query.get("continuation-token") ?? "", "base64url").toString();
    const keys = [...objects.keys()].filter(key => key.startsWith(query.get("prefix") ?? "") && key > after).sort();
    const page = keys.slice(0, Number(query.get("max-keys")));
    const items = page.map(
      key =>
        `<Contents><Key>${encoded(key).replaceAll("%20", "+")}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>` +
        `<ETag>${etag(objects.get(key)!).replaceAll('"', "&quot;")}</ETag><Size>${objects.get(key)!.length}</Size></Contents>`,
    );
    const token = Buffer.from(page.at(-1) ?? "").toString("base64url");
    const next = page.length < keys.length ? `<NextContinuationToken>${token}</NextContinuationToken>` : "";
    xml(res, `<ListBucketResult>${items.join("")}${next}</ListBucketResult>`);
  }

  function answer(req: IncomingMessage, res: ServerResponse, url: URL, key: string, body: Buffer): void {
    const id = url.searchParams.get("uploadId") ?? "";
    if (req.method === "GET" && url.searchParams.get("list-type") === "2") listed(res, url.searchParams);
    else if (req.method === "GET" && url.searchParams.has("uploads")) {
      const prefix = url.searchParams.get("prefix") ?? "";
      const found = [...uploads].filter(([, upload]) => upload.key.startsWith(prefix));
      const items = found.map(([one, { key }]) => `<Upload><Key>${key}</Key><UploadId>${one}</UploadId></Upload>`);
      xml(res, `<ListMultipartUploadsResult>${items.join("")}</ListMultipartUploadsResult>`);
    } else if (req.method === "POST" && url.searchParams.has("uploads")) {
      const made = randomUUID();
      uploads.set(made, { key, parts: new Map() });
      xml(res, `<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`);
    } else if (req.method === "PUT" && id) {
      const upload = uploads.get(id);
      if (upload?.key !== key) throw new Refusal(404, "NoSuchUpload");
      upload.parts.set(Number(url.searchParams.get("partNumber")), body);
      res.writeHead(200, { etag: etag(body) }).end();
    } else if (req.method === "POST" && id) complete(res, key, id, body);
    else if (req.method === "DELETE" && id) {
      if (!uploads.delete(id)) throw new Refusal(404, "NoSuchUpload");
      res.writeHead(204).end();
    } else if (req.method === "PUT") {
      objects.set(key, body);
      res.writeHead(200, { etag: etag(body) }).end();
    } else if (req.method === "DELETE") {
      objects.delete(key);
      res.writeHead(204).end();
    } else read(req, res, key);
  }

  const server = createServer((req, res) => {
    void buffer(req)
      .then(async body => {
        const url = new URL(req.url ?? "/", "http://here");
        const fault = faults.shift();
        if (fault !== undefined) throw new Refusal(fault, "SlowDown");
        if (url.searchParams.has("X-Amz-Signature")) checkPresigned(req, url);
        else checkSignature(req, url, body);
        const [bucket, ...rest] = url.pathname.slice(1).split("/");
        if (bucket !== "bucket") throw new Refusal(404, "NoSuchBucket");
        const key = decodeURIComponent(rest.join("/"));
        await made.before(req.method ?? "", key);
        // The request of a client that disconnected may or may not take effect. Here it does not.
        if (!req.socket.destroyed) answer(req, res, url, key, body);
      })
      .catch((error: unknown) => {
        const { status = 500, code = "InternalError" } = error as Partial<Refusal>;
        const text = `<Error><Code>${code}</Code><Message>${code}</Message></Error>`;
        if (!res.headersSent) res.writeHead(status, { "content-type": "application/xml" });
        res.end(text);
      });
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const keys = `${encodeURIComponent(ACCESS)}:${encodeURIComponent(SECRET)}`;
  const made: S3Server = {
    endpoint: `http://127.0.0.1:${port}`,
    url: `s3://${keys}@127.0.0.1:${port}/bucket/weft?region=us-east-1&tls=false`,
    objects,
    uploads,
    faults,
    before: () => undefined,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return made;
}
