import { randomBytes } from "node:crypto";
import { appendFileSync, mkdtempSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderStore } from "../../adapters/files/folder-store.ts";
import type { ObjectName } from "../../adapters/files/port.ts";
import { S3Store } from "../../adapters/files/s3-store.ts";
import {
  backUpObjects,
  restoreObjects,
  checkObjects,
  objectsIn,
  moveObjects,
} from "../../adapters/transfer/backup-objects.ts";
import { copyObjects, digestObject } from "../../adapters/transfer/copy-objects.ts";
import { startS3Server } from "../support/s3-server.ts";

const root = mkdtempSync(join(tmpdir(), "weft-transfer-"));
const folder = () => mkdtempSync(join(root, "d-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const quiet = { signal: new AbortController().signal, onProgress: () => undefined };
const NAMES = ["w/0001", "w/0002", "v/0003"] as ObjectName[];
const objectOf = Object.fromEntries(NAMES.map((name, n) => [name, randomBytes(n * 300_000)]));

async function* bytesOf(bytes: Buffer) {
  await Promise.resolve();
  yield bytes;
}

async function filledStore(): Promise<FolderStore> {
  const store = new FolderStore(folder());
  for (const name of NAMES) await store.put(name, bytesOf(objectOf[name]!));
  return store;
}

const digests = (store: FolderStore | S3Store) => Promise.all(NAMES.map(name => digestObject(store, name)));

describe("copies of objects", () => {
  it("are identical in a store of another kind, also after an interruption, and are copied once", async () => {
    const server = await startS3Server();
    const [source, target] = [await filledStore(), new S3Store(server.url)];
    try {
      const stop = new AbortController();
      const onProgress = () => stop.abort();
      const cut = copyObjects({ names: NAMES, source, target, signal: stop.signal, onProgress });
      await expect(cut).rejects.toThrow();
      const wanted = { names: [...NAMES, "w/gone"] as ObjectName[], source, target, ...quiet };
      expect(await copyObjects(wanted)).toEqual({ copied: 3, missing: 1 });
      expect(await digests(target)).toEqual(await digests(source));
      const put = jest.spyOn(target, "put");
      expect(await copyObjects(wanted)).toEqual({ copied: 3, missing: 1 });
      expect(put.mock.calls.filter(([name]) => name !== "w/gone")).toEqual([]);
    } finally {
      await target.close();
      await server.close();
    }
  });

  it("replace the leftovers of a killed process", async () => {
    const [source, to] = [await filledStore(), folder()];
    const target = new FolderStore(to);
    mkdirSync(join(to, ".incoming"), { recursive: true });
    writeFileSync(join(to, ".incoming", "w.0002"), "half of it");
    await target.put("w/0003", bytesOf(Buffer.from("other")));
    await copyObjects({ names: NAMES, source, target, ...quiet });
    expect(await digests(target)).toEqual(await digests(source));
  });
});

describe("a backup", () => {
  it("holds the objects that its documents name, and detects damage", async () => {
    const [source, draft] = [await filledStore(), folder()];
    expect(await backUpObjects(draft, [...NAMES, "w/gone"] as ObjectName[], source, quiet)).toBe(true);
    await checkObjects(draft, quiet);
    expect(await digests(objectsIn(draft))).toEqual(await digests(source));
    const path = objectsIn(draft).pathOf("w/0002");
    appendFileSync(path, "x");
    await expect(checkObjects(draft, quiet)).rejects.toThrow("The backup is damaged: the file w/0002");
    await expect(restoreObjects(draft, new FolderStore(folder()), quiet)).rejects.toThrow("is damaged");
    truncateSync(path, 300_000);
    rmSync(objectsIn(draft).pathOf("v/0003"));
    await expect(checkObjects(draft, quiet)).rejects.toThrow("the file v/0003");
    expect(await backUpObjects(folder(), ["w/gone"] as ObjectName[], source, quiet)).toBe(false);
  });

  it("is placed in a new folder, and beside the files of another installation", async () => {
    const [source, dataDir] = [await filledStore(), folder()];
    for (const more of [[], ["x/0004"]] as ObjectName[][]) {
      const draft = folder();
      await backUpObjects(draft, NAMES, source, quiet);
      for (const name of more) await objectsIn(dataDir).put(name, bytesOf(Buffer.from("theirs")));
      await moveObjects(draft, dataDir);
      expect(await digests(objectsIn(dataDir))).toEqual(await digests(source));
    }
    expect(await digestObject(objectsIn(dataDir), "x/0004")).toMatchObject({ bytes: 6 });
    expect(readdirSync(dataDir)).toEqual(["files"]);
  });
});
