import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "../../adapters/store/open-store.ts";
import type { CollectionSpec } from "../../adapters/store/port.ts";
import { Draft } from "../../adapters/transfer/draft.ts";
import { checkBackup, restoreBackup, type RestoreSettings } from "../../adapters/transfer/restore-backup.ts";
import { digestFile, takeBackup } from "../../adapters/transfer/take-backup.ts";
import { id, items, slots } from "./collections.ts";

const root = mkdtempSync(join(tmpdir(), "weft-backup-"));
const folder = (): string => mkdtempSync(join(root, "d-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const collections = [items, slots] as readonly CollectionSpec[];
const key = (letter: string) => letter.repeat(43);
const quiet = { signal: new AbortController().signal, onProgress: () => undefined };
const open = (dataDir: string) => openStore({ dataDir, sync: "normal", collections });

const backup = (dataDir: string, to: string, more: Partial<Parameters<typeof takeBackup>[0]> = {}) =>
  takeBackup({
    dataDir,
    to,
    collections,
    openFiles: null,
    given: {},
    withKeys: true,
    version: "1.2.3",
    ...quiet,
    ...more,
  });
const restore = (from: string, dataDir: string, force = false, more: Partial<RestoreSettings> = {}) =>
  restoreBackup({ from, dataDir, force, version: "1.2.3", ...quiet, ...more });

async function written(dataDir: string, count: number): Promise<string[]> {
  const store = await open(dataDir);
  const made = await store
    .tenant(items, "w")
    .insertMany(Array.from({ length: count }, () => ({ id: id(), name: "x" })));
  await store.close();
  return made.map(item => item.id);
}
async function namesIn(dataDir: string): Promise<string[]> {
  const store = await open(dataDir);
  const { items: found } = await store.tenant(items, "w").find({}, { limit: 1000 });
  await store.close();
  return found.map(item => item.name);
}
const fingerprint = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
const allFiles = (of: string) => Object.fromEntries(readdirSync(of).map(name => [name, fingerprint(join(of, name))]));

let template: string;
/** A backup of three documents and both keys. */
function madeBackup(): string {
  const copy = join(folder(), "b");
  cpSync(template, copy, { recursive: true });
  return copy;
}
let small: string;
/** A data folder with one document. */
function smallStore(): string {
  const copy = folder();
  cpSync(small, copy, { recursive: true });
  return copy;
}
beforeAll(async () => {
  small = folder();
  await written(small, 1);
  const dataDir = folder();
  await written(dataDir, 3);
  writeFileSync(join(dataDir, "jwt-secret"), key("j"));
  writeFileSync(join(dataDir, "secrets-key"), key("s"));
  template = join(folder(), "b");
  await backup(dataDir, template);
});

test("contains every write that was acknowledged before it began, while others write at full speed", async () => {
  const dataDir = folder();
  const store = await open(dataDir);
  const docs = store.tenant(items, "w");
  const acknowledged: string[] = [];
  let over = false;
  const begun = Promise.withResolvers<void>();
  const writers = Array.from({ length: 8 }, async () => {
    while (!over) {
      const one = await docs.insert({ id: id(), name: "x".repeat(2000), body: { n: [1, null, "é"] } });
      if (acknowledged.push(one.id) === 1000) begun.resolve();
    }
  });
  await begun.promise;
  const before = [...acknowledged];
  const to = join(folder(), "b");
  const manifest = await backup(dataDir, to);
  const during = acknowledged.length - before.length;
  over = true;
  await Promise.all(writers);
  await store.close();
  expect(during).toBeGreaterThan(0);

  const restored = join(folder(), "data");
  expect(await restore(to, restored)).toEqual({ manifest, former: null });
  expect(await digestFile(join(restored, "weft.db"), collections, quiet.signal, quiet.onProgress)).toEqual(
    manifest.collections,
  );
  const again = await open(restored);
  expect(await again.tenant(items, "w").count({})).toBe(manifest.collections.items?.count);
  for (let from = 0; from < before.length; from += 1000) {
    const some = before.slice(from, from + 1000);
    expect(await again.tenant(items, "w").count({ id: { $in: some } })).toBe(some.length);
  }
  await again.close();
});

test("is one folder of plain files that only their owner can read, keys included unless they are left out", async () => {
  const to = template;
  expect(readdirSync(to).sort()).toEqual(["jwt-secret", "manifest.json", "secrets-key", "weft.db"]);
  for (const name of readdirSync(to)) expect(statSync(join(to, name)).mode & 0o777).toBe(0o600);
  expect(statSync(to).mode & 0o777).toBe(0o700);
  const dataDir = folder();
  await restore(to, dataDir);
  expect(statSync(join(dataDir, "secrets-key")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(dataDir, "secrets-key"), "utf8")).toBe(key("s"));

  const without = join(folder(), "b");
  const { keys, files } = await backup(dataDir, without, { withKeys: false });
  expect(files.map(({ name }) => name)).toEqual(["weft.db"]);
  expect(keys).toEqual((await checkBackup({ from: to, ...quiet })).keys);
  expect(readFileSync(join(without, "manifest.json"), "utf8")).not.toContain(key("s"));
});

test("contains both keys when one is replaced during the backup", async () => {
  const dataDir = smallStore();
  const file = join(dataDir, "secrets-key");
  writeFileSync(file, key("a"));
  const to = join(folder(), "b");
  const replaced = () => writeFileSync(file, key("b"));
  await backup(dataDir, to, { onProgress: what => what === "Copying" && replaced() });
  expect(readFileSync(join(to, "secrets-key"), "utf8").split("\n")).toEqual([key("b"), key("a")]);
});

test("includes the log of a killed process", async () => {
  const dataDir = folder();
  const database = new DatabaseSync(join(dataDir, "weft.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0");
  database.exec("CREATE TABLE slots (_id TEXT PRIMARY KEY, doc TEXT)");
  database.exec(`INSERT INTO slots VALUES ('a', '{"id":"a","key":"k","seq":1}')`);
  // The file as SIGKILL leaves it: no process has it open, and the last commits are in the log only.
  const left = folder();
  for (const name of ["weft.db", "weft.db-wal"]) writeFileSync(join(left, name), readFileSync(join(dataDir, name)));
  database.close();
  expect((await backup(left, join(folder(), "b"))).collections.slots?.count).toBe(1);
});

test("overwrites nothing, and leaves nothing when it fails or is aborted", async () => {
  const dataDir = smallStore();
  const parent = folder();
  const to = join(parent, "b");
  const stop = new AbortController();
  const stopped = backup(dataDir, to, { signal: stop.signal, onProgress: () => stop.abort() });
  await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
  expect(readdirSync(parent)).toEqual([]);
  mkdirSync(to);
  await expect(backup(dataDir, to)).rejects.toThrow("already exists");
  await expect(backup(folder(), join(parent, "c"))).rejects.toThrow("There is no embedded store");
  await expect(backup(dataDir, join(parent, "no", "c"))).rejects.toThrow("cannot be made (ENOENT)");
  expect(readdirSync(parent)).toEqual(["b"]);
});

test("of a damaged store is refused", async () => {
  const dataDir = folder();
  await written(dataDir, 200);
  const file = join(dataDir, "weft.db");
  const bytes = readFileSync(file);
  bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 4096);
  writeFileSync(file, bytes);
  await expect(backup(dataDir, join(folder(), "b"))).rejects.toThrow(/damaged|malformed/);
});

const flip = (path: string) => {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);
};
const manifestWith = (from: string, change: (manifest: Record<string, unknown>) => void) => {
  const path = join(from, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  change(manifest);
  writeFileSync(path, JSON.stringify(manifest));
};

test.each<[string, (from: string) => void, string]>([
  ["one bit of the store is another", from => flip(join(from, "weft.db")), "the checksum of weft.db differs"],
  ["the store is cut short", from => truncateSync(join(from, "weft.db"), 4096), "the checksum of weft.db differs"],
  ["one bit of a key is another", from => flip(join(from, "secrets-key")), "the checksum of secrets-key differs"],
  ["a file is missing", from => rmSync(join(from, "jwt-secret")), "jwt-secret"],
  ["the manifest is missing", from => rmSync(join(from, "manifest.json")), "is not a backup"],
  ["the manifest is cut short", from => truncateSync(join(from, "manifest.json"), 100), "is not JSON"],
  ["it names other files", from => manifestWith(from, m => (m.files = [{ name: "../x", bytes: 0 }])), "damaged: files"],
  ["it names what nobody knows", from => manifestWith(from, m => (m.more = 1)), 'Unrecognized key: "more"'],
  ["a date is another", from => manifestWith(from, m => (m.createdAt = "2020-01-01T00:00:00Z")), "checksum differs"],
  ["it names no store", from => manifestWith(from, m => void ((m.files = []), delete m.sha256)), "has no weft.db"],
  ["it is of a later format", from => manifestWith(from, m => (m.format = 2)), "does not know"],
])("is not restored where %s, and the data folder stays as it was", async (_, harm, message) => {
  const from = madeBackup();
  harm(from);
  await expect(checkBackup({ from, ...quiet })).rejects.toThrow(message);
  const dataDir = smallStore();
  const before = allFiles(dataDir);
  await expect(restore(from, dataDir, true)).rejects.toThrow(message);
  expect(allFiles(dataDir)).toEqual(before);
});

test("is restored over another store only with --force, which keeps the other store aside", async () => {
  const from = madeBackup();
  const dataDir = folder();
  await written(dataDir, 5);
  writeFileSync(join(dataDir, "jwt-secret"), key("o"));
  await expect(restore(from, dataDir)).rejects.toThrow("is not empty");
  expect(await namesIn(dataDir)).toHaveLength(5);
  const { former } = await restore(from, dataDir, true);
  expect(await namesIn(dataDir)).toHaveLength(3);
  expect(readFileSync(join(dataDir, "jwt-secret"), "utf8")).toBe(key("j"));
  expect(await namesIn(former!)).toHaveLength(5);
  expect(readFileSync(join(former!, "jwt-secret"), "utf8")).toBe(key("o"));
});

test("is not restored over an open store", async () => {
  const from = madeBackup();
  const dataDir = folder();
  const store = await open(dataDir);
  await expect(restore(from, dataDir, true)).rejects.toMatchObject({ code: "file_in_use" });
  await store.tenant(items, "w").insert({ id: "a", name: "still here" });
  await store.close();
  expect(await namesIn(dataDir)).toEqual(["still here"]);
});

test("is restored over a store that cannot be read any more", async () => {
  const from = madeBackup();
  const dataDir = folder();
  writeFileSync(join(dataDir, "weft.db"), "no database at all ".repeat(1000));
  writeFileSync(join(dataDir, "weft.db-wal"), "a log of something else");
  const { former } = await restore(from, dataDir, true);
  expect(await namesIn(dataDir)).toHaveLength(3);
  expect(readFileSync(join(former!, "weft.db"), "utf8")).toContain("no database at all");
});

test("of a newer version is checked, and not restored", async () => {
  const from = madeBackup();
  await expect(restore(from, join(folder(), "d"), false, { version: "1.2.3-beta.1" })).resolves.toBeDefined();
  const dataDir = folder();
  await expect(restore(from, dataDir, true, { version: "1.1.9" })).rejects.toThrow("made by Weft 1.2.3, and this is");
  expect(readdirSync(dataDir)).toEqual([]);
  expect(await checkBackup({ from, ...quiet })).toMatchObject({ weft: "1.2.3" });
});

test.each(["jwt-secret", "weft.db"])("does not replace a %s that appeared meanwhile", async name => {
  const from = madeBackup();
  const dataDir = folder();
  const theirs = join(dataDir, name);
  const onProgress = () => writeFileSync(theirs, "of a Weft that was started");
  await expect(restore(from, dataDir, false, { onProgress })).rejects.toThrow(`${theirs} was created meanwhile`);
  expect(readFileSync(theirs, "utf8")).toBe("of a Weft that was started");
  expect(readdirSync(dataDir)).toEqual([name]);
});

/** What a process that was killed has left. */
function leftDraft(path: string): void {
  mkdirSync(path);
  writeFileSync(join(path, "lock"), "");
  writeFileSync(join(path, "weft.db"), "half of it");
}

test("can be restored again without --force after an interruption", async () => {
  const from = madeBackup();
  const dataDir = folder();
  leftDraft(join(dataDir, "restoring-1"));
  await restore(from, dataDir);
  expect(readdirSync(dataDir).sort()).toEqual(["jwt-secret", "secrets-key", "weft.db"]);
});

test("removes the leftovers of a killed backup to the same place, and nothing else", async () => {
  const dataDir = smallStore();
  const parent = folder();
  leftDraft(join(parent, "b.partial-left"));
  leftDraft(join(parent, "bb.partial-left"));
  await backup(dataDir, join(parent, "b.partial-whole"));
  await backup(dataDir, join(parent, "b"));
  expect(readdirSync(parent).sort()).toEqual(["b", "b.partial-whole", "bb.partial-left"]);
  expect(readdirSync(join(parent, "b")).sort()).toEqual(["manifest.json", "weft.db"]);
});

test("is rejected while another backup to the same place runs", async () => {
  const dataDir = smallStore();
  const parent = folder();
  const draft = await Draft.make(join(parent, "b.partial-"));
  await expect(backup(dataDir, join(parent, "b"))).rejects.toThrow(`Another command works on ${draft.folder}`);
  expect(readdirSync(draft.folder)).toEqual(["lock"]);
  await draft.publish(join(parent, "b"));
  expect(readdirSync(parent)).toEqual(["b"]);
});
