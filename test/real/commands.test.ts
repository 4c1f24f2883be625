import { randomBytes, randomUUID } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { MongoClient } from "mongodb";
import { FolderStore } from "../../adapters/files/folder-store.ts";
import { GridFsStore } from "../../adapters/files/gridfs-store.ts";
import { FILES_FOLDER } from "../../adapters/files/open-files.ts";
import type { ObjectName } from "../../adapters/files/port.ts";
import { hashKey } from "../../adapters/secrets/hash-key.ts";
import { fixedKeys } from "../../adapters/secrets/keyring.ts";
import { Sealer } from "../../adapters/secrets/sealer.ts";
import { openStore, type StoreSettings } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { files } from "../../services/files/model.ts";
import { ANSWERS, idempotencyKeys } from "../../services/idempotency/model.ts";
import { startCli } from "../support/cli.ts";
import { killWithin } from "../support/kill-within.ts";
import { databaseAt } from "../support/real-servers.ts";

const KEY = "the key of this installation that is long enough";
const COUNT = 120;
const WORKSPACE = randomUUID();
/** The bytes of files, which no command looks into. The last one has several chunks. */
const OBJECTS = [0, 5, 3_000_000].map(size => ({ id: randomUUID(), bytes: randomBytes(size) }));
const GRIDFS_CHUNK_BYTES = 1024 * 1024 - 1024;
/** The documents of the installation: those that have sealed texts, the key for hashes, and those of files. */
const DOCUMENTS = COUNT + 1 + OBJECTS.length;

// Each command in a process of its own: what it loads, and in which order, is a part of what is tested.
const { MONGODB_URI = "" } = process.env;
if (!MONGODB_URI) throw new Error("MONGODB_URI is needed: these are commands on MongoDB.");
const mongodbUri = databaseAt(MONGODB_URI, `weft_test_${randomUUID().slice(0, 8)}`);
const dataDir = mkdtempSync(join(tmpdir(), "weft-commands-"));
afterAll(async () => {
  rmSync(dataDir, { recursive: true, force: true });
  const client = await MongoClient.connect(mongodbUri);
  await client.db().dropDatabase();
  await client.close();
});

const weft = (args: string[], env: NodeJS.ProcessEnv) => startCli(args, { DATA_DIR: dataDir, ...env }).ended;
async function within<T>(settings: StoreSettings, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ ...settings, collections: [idempotencyKeys, files] });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

test("an installation moves to MongoDB, where its secrets are sealed under another key", async () => {
  appendFileSync(join(dataDir, "secrets-key"), KEY, { mode: 0o600 });
  await within({ dataDir, sync: "normal" }, async store => {
    await hashKey(store, fixedKeys(KEY));
    const sealer = new Sealer(fixedKeys(KEY), ANSWERS);
    const docs = Array.from({ length: COUNT }, (_, at) => ({
      ...{ id: `k${at}`, workspaceId: null, fingerprint: "f", holder: "h", newId: "n" },
      ...{ leaseUntil: new Date(), expiresAt: new Date(Date.now() + 3_600_000) },
      answer: sealer.seal(`a${at}`, `k${at}`),
    }));
    await store.global(idempotencyKeys).insertMany(docs);
  });

  const folder = new FolderStore(join(dataDir, FILES_FOLDER));
  await within({ dataDir, sync: "normal" }, async store => {
    for (const { id, bytes } of OBJECTS) {
      await folder.put(`${WORKSPACE}/${id}`, Readable.from([bytes]));
      const about = { state: "stored" as const, kind: "file" as const, name: id, type: "text/plain" };
      const doc = { id, workspaceId: WORKSPACE, ...about, size: bytes.length, createdAt: new Date() };
      await store.tenant(files, WORKSPACE).insert(doc);
    }
  });

  // It is killed within the bytes of a file: the database shows no part of it, and the next attempt leaves none behind.
  const cut = OBJECTS.at(-1)!;
  const name: ObjectName = `${WORKSPACE}/${cut.id}`;
  const client = await MongoClient.connect(mongodbUri);
  const chunks = client.db().collection("objects.chunks");
  try {
    await killWithin({
      path: folder.pathOf(name),
      part: cut.bytes.subarray(0, cut.bytes.length - 100_000),
      start: () => startCli(["migrate", "--to", mongodbUri], { DATA_DIR: dataDir }),
      hasPart: async () => (await chunks.countDocuments({ files_id: name })) > 0,
    });
    const halfway = await GridFsStore.open(mongodbUri);
    await expect(buffer(halfway.get(name) as AsyncIterable<Buffer>)).rejects.toMatchObject({ code: "file_missing" });
    await halfway.close();
  } finally {
    await client.close();
  }

  for (const said of [
    `Copied and compared ${DOCUMENTS} documents`,
    `Already copied. Compared ${DOCUMENTS} documents`,
  ]) {
    const moved = await weft(["migrate", "--to", mongodbUri], {});
    expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining(said)]);
  }

  const gridfs = await GridFsStore.open(mongodbUri);
  for (const { id, bytes } of OBJECTS)
    expect((await buffer(gridfs.get(`${WORKSPACE}/${id}`) as AsyncIterable<Buffer>)).equals(bytes)).toBe(true);
  await gridfs.close();
  const after = await MongoClient.connect(mongodbUri);
  const stored = await after.db().collection("objects.chunks").countDocuments({ files_id: name });
  await after.close();
  expect(stored).toBe(Math.ceil(cut.bytes.length / GRIDFS_CHUNK_BYTES));

  const rotated = await weft(["secrets", "rotate", "--settle", "0"], { MONGODB_URI: mongodbUri });
  expect([rotated.code, rotated.stdout]).toEqual([0, expect.stringContaining("121 values were sealed again")]);
  const next = readFileSync(join(dataDir, "secrets-key"), "utf8");
  expect(next).not.toContain(KEY);
  await within({ mongodbUri, dataDir, sync: "normal" }, async store => {
    const sealer = new Sealer(fixedKeys(next.trim()), ANSWERS);
    const { items } = await store.global(idempotencyKeys).find({}, { limit: 1_000 });
    expect(items.map(({ id, answer }) => sealer.open(answer!, id)).sort()).toEqual(
      Array.from({ length: COUNT }, (_, at) => `a${at}`).sort(),
    );
  });
});
