import { randomBytes } from "node:crypto";
import { existsSync, globSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { FolderStore } from "../../adapters/files/folder-store.ts";
import { FILES_FOLDER } from "../../adapters/files/open-files.ts";
import type { ObjectName, ObjectStore } from "../../adapters/files/port.ts";
import { S3Store } from "../../adapters/files/s3-store.ts";
import { acquireStore, openStore } from "../../adapters/store/open-store.ts";
import { objectsIn } from "../../adapters/transfer/backup-objects.ts";
import { files } from "../../services/files/model.ts";
import { read } from "./conformance.ts";
import { startCli } from "../support/cli.ts";
import { killWithin } from "../support/kill-within.ts";
import { startS3Server } from "../support/s3-server.ts";
import { COMPILE_CACHE } from "../support/server.ts";

const WORKSPACE = "0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeee01";
const idOf = (n: number) => `0199aaaa-bbbb-7ccc-8ddd-ffffffffff0${n}`;
const nameOf = (n: number): ObjectName => `${WORKSPACE}/${idOf(n)}`;
/** The command is killed within the second object. S3 stores an object of this size in four parts. */
const OBJECTS = [1, 2, 3].map(n => ({
  name: nameOf(n),
  id: idOf(n),
  bytes: randomBytes(n === 2 ? 16_000_000 : 70_000),
}));
type Held = (typeof OBJECTS)[number];
const [BEFORE, CUT, BEHIND] = OBJECTS as [Held, Held, Held];
/** What the command gets of the second object: more than two parts. */
const GIVEN_BYTES = 11_000_000;

const root = mkdtempSync(join(tmpdir(), "weft-killed-transfer-"));
const dataDir = join(root, "data");
const source = new FolderStore(join(dataDir, FILES_FOLDER));
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeAll(async () => {
  const store = await openStore({ dataDir, sync: "normal", collections: [files] });
  for (const { name, id, bytes } of OBJECTS) {
    await source.put(name, Readable.from([bytes]));
    const about = { state: "stored" as const, kind: "file" as const, name: id, type: "text/plain" };
    await store.tenant(files, WORKSPACE).insert({ id, ...about, size: bytes.length, createdAt: new Date() } as never);
  }
  await store.close();
  writeFileSync(join(dataDir, "secrets-key"), "a key of an installation, long enough to be one", { mode: 0o600 });
});

const weft = (args: string[], env: NodeJS.ProcessEnv) =>
  startCli(args, { ...COMPILE_CACHE, DATA_DIR: dataDir, ...env });
const isIn = async (store: ObjectStore, name: ObjectName) => {
  const first = store.get(name)[Symbol.asyncIterator]();
  const code = await first.next().then(
    () => "there",
    (error: unknown) => (error as { code?: string }).code,
  );
  await first.return?.();
  return code;
};

/** Kills a command in the middle of the bytes of the second object. */
const killed = (args: string[], env: NodeJS.ProcessEnv, hasPart: () => boolean) =>
  killWithin({
    path: source.pathOf(CUT.name),
    part: CUT.bytes.subarray(0, GIVEN_BYTES),
    start: () => weft(args, env),
    hasPart,
  });

/** Whether a part of an object is in a folder. */
const hasPartIn = (folder: string) => () =>
  globSync(`**/.incoming/${WORKSPACE}.${CUT.id}`, { cwd: folder }).some(path => statSync(join(folder, path)).size > 0);

async function expectWhole(store: ObjectStore): Promise<void> {
  for (const held of OBJECTS) expect((await read(store.get(held.name))).equals(held.bytes)).toBe(true);
}

async function expectHalfway(store: ObjectStore): Promise<void> {
  expect((await read(store.get(BEFORE.name))).equals(BEFORE.bytes)).toBe(true);
  for (const { name } of [CUT, BEHIND]) expect(await isIn(store, name)).toBe("file_missing");
}

it("weft migrate to a folder, killed within a file, shows no part of it, and completes when it is run again", async () => {
  const to = join(root, "migrated");
  const args = ["migrate", "--to", `file:${to}`];
  await killed(args, {}, hasPartIn(to));
  const store = new FolderStore(join(to, FILES_FOLDER));
  await expectHalfway(store);
  await expect(acquireStore({ dataDir: to, sync: "normal" })).rejects.toThrow("has not finished");
  const second = await weft(args, {}).ended;
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining("Copied and compared 3 documents")]);
  await expectWhole(store);
  expect(globSync("**/.incoming/*", { cwd: to })).toEqual([]);
});

it("weft migrate to S3, killed within a file, leaves no object of it, and completes when it is run again", async () => {
  const server = await startS3Server();
  const store = new S3Store(server.url);
  try {
    const args = ["migrate", "--to", `file:${join(root, "with-s3")}`];
    const env = { FILES_URL: server.url };
    await killed(args, env, () => [...server.uploads.values()].some(({ parts }) => parts.size > 1));
    await expectHalfway(store);
    expect([...server.uploads.values()].map(({ key }) => key)).toEqual([expect.stringContaining(CUT.name)]);
    expect(await weft(args, env).ended).toMatchObject({ code: 0 });
    await expectWhole(store);
    expect(server.uploads.size).toBe(0);
    expect(server.objects.size).toBe(OBJECTS.length);
  } finally {
    await store.close();
    await server.close();
  }
});

it("weft backup, killed within a file, makes no backup, and makes a whole one when it is run again", async () => {
  const to = join(root, "backup");
  const args = ["backup", "--to", to];
  await killed(args, {}, hasPartIn(root));
  expect(existsSync(to)).toBe(false);
  const drafts = () => readdirSync(root).filter(name => name.startsWith(`${basename(to)}.partial-`));
  const [draft] = drafts();
  const refused = await weft(["restore", "--from", join(root, draft!), "--check"], {}).ended;
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is not a backup")]);
  expect(await weft(args, {}).ended).toMatchObject({ code: 0 });
  expect(drafts()).toEqual([]);
  await expectWhole(objectsIn(to));
  expect(globSync("**/.incoming/*", { cwd: to })).toEqual([]);
  expect(await weft(["restore", "--from", to, "--check"], {}).ended).toMatchObject({ code: 0 });
});
