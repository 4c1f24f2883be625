import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { readS3Address } from "../../adapters/files/s3-address.ts";
import { S3Store } from "../../adapters/files/s3-store.ts";
import { startS3Server, type S3Server } from "../support/s3-server.ts";
import { until } from "../support/until.ts";
import { describeObjects } from "./conformance.ts";

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server.close());

describeObjects(
  "an S3-compatible store",
  () => Promise.resolve(new S3Store(server.url)),
  name => {
    const key = `weft/${name}`;
    return Promise.resolve({
      read: () => Promise.resolve(server.objects.get(key)!),
      write: (bytes: Buffer) => Promise.resolve(void server.objects.set(key, bytes)),
    });
  },
);

describe("an S3-compatible store", () => {
  let store: S3Store;
  beforeAll(() => {
    store = new S3Store(server.url);
  });
  afterAll(() => store.close());

  it("retries transient failures", async () => {
    server.faults.push(503, 500);
    await store.put("w/again", Readable.from([Buffer.from("bytes")]));
    expect(server.objects.get("weft/w/again")?.toString()).toBe("bytes");
  });

  it("fails at once with a wrong key", async () => {
    const wrong = new S3Store(server.url.replace("secret", "wrong"));
    await expect(wrong.ping()).rejects.toMatchObject({
      code: "files_unavailable",
      message: expect.stringContaining("403") as string,
    });
    await wrong.close();
  });

  it("removes the parts of abandoned uploads", async () => {
    server.uploads.set("left", { key: "weft/w/left", parts: new Map() });
    server.uploads.set("other", { key: "weft/w/left2", parts: new Map() });
    await store.remove("w/left");
    expect([...server.uploads.keys()]).toEqual(["other"]);
  });

  it("aborts the parts of an upload that breaks", async () => {
    function* broken() {
      yield Buffer.alloc(11_000_000);
      throw new Error("gone");
    }
    const before = server.uploads.size;
    await expect(store.put("w/broken", Readable.from(broken()))).rejects.toThrow("gone");
    expect(server.uploads.size).toBe(before);
  });

  it("shows no partial object of a killed process, and removes its parts", async () => {
    const script = `
      import { S3Store } from "./adapters/files/s3-store.ts";
      async function* slow() {
        for (let i = 0; i < 12; i++) yield Buffer.alloc(1_048_576);
        process.send("half");
        await new Promise(() => setTimeout(() => {}, 1e6));
      }
      await new S3Store(process.env.STORE).put("w/killed", slow());`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, STORE: server.url },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const uploads = () => [...server.uploads.values()].filter(({ key }) => key === "weft/w/killed");
    await once(child, "message");
    await until(() => (uploads()[0]?.parts.size ?? 0) > 0);
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect(store.get("w/killed")[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "file_missing" });
    expect(uploads()).toHaveLength(1);
    await store.remove("w/killed");
    expect(uploads()).toEqual([]);
  });

  it("reports a server that does not answer", async () => {
    const nowhere = new S3Store("s3://a:b@127.0.0.1:1/bucket?tls=false");
    await expect(nowhere.ping()).rejects.toMatchObject({ code: "files_unavailable" });
    await nowhere.close();
  });
});

describe("the address of a store", () => {
  it("names host, bucket, prefix, region and keys", () => {
    expect(readS3Address("s3://AK:s%2Fk@minio.local:9000/weft/a/b?region=eu-1&tls=false")).toEqual({
      endpoint: "http://minio.local:9000/weft",
      region: "eu-1",
      prefix: "a/b/",
      accessKeyId: "AK",
      secretAccessKey: "s/k",
    });
  });

  it.each(["s3://host/bucket", "s3://a:b@host", "https://a:b@host/bucket", "nonsense"])("refuses %s", address => {
    expect(() => readS3Address(address)).toThrow("expected s3://<access key>:<secret key>@<host>/<bucket>");
  });
});
