import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashKey } from "../../adapters/secrets/hash-key.ts";
import { fixedKeys, SealingKey } from "../../adapters/secrets/keyring.ts";
import { keyIdOf, Sealer } from "../../adapters/secrets/sealer.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Store } from "../../adapters/store/port.ts";
import { lockRotation } from "../../cli/rotate-key.ts";
import { ANSWERS, idempotencyKeys } from "../../services/idempotency/model.ts";
import { runCli, startCli } from "../support/cli.ts";

const FORMER = "the former key that is long enough for anything";
const NEXT = "the next key that is long enough for anything too";
const STRANGE = "a key of somebody else that is long enough for anything";

let dataDir: string;
let store: Store;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "weft-rotate-"));
  store = await openStore({ dataDir, sync: "normal", collections: [idempotencyKeys] });
});
afterEach(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const file = () => join(dataDir, "secrets-key");
const keysInFile = () => readFileSync(file(), "utf8").split("\n");
const keepInFile = (...keys: string[]) => writeFileSync(file(), keys.join("\n"), { mode: 0o600 });
const texts = () => store.global(idempotencyKeys);

/** Answers that are kept, `a0`, `a1` and so on, sealed under this key. */
async function keep(count: number, secret: string, size = 10): Promise<void> {
  const sealer = new Sealer(fixedKeys(secret), ANSWERS);
  const docs = Array.from({ length: count }, (_, at) => ({
    id: `${secret.slice(0, 12)} ${at}`,
    ...{ workspaceId: null, fingerprint: "f", holder: "h", newId: "n" },
    ...{ leaseUntil: new Date(), expiresAt: new Date(Date.now() + 3_600_000) },
    answer: sealer.seal(`a${at} ${"x".repeat(size)}`, `${secret.slice(0, 12)} ${at}`),
  }));
  await texts().insertMany(docs);
}

async function openedWith(...secrets: string[]): Promise<(string | null)[]> {
  const sealer = new Sealer(fixedKeys(...secrets), ANSWERS);
  const { items } = await texts().find({}, { limit: 1000 });
  return items.map(({ id, answer }) => answer && sealer.open(answer, id).split(" ")[0]!).map(one => one ?? null);
}
const answers = (count: number) => Array.from({ length: count }, (_, at) => `a${at}`);

const weft = (args: string[], env?: NodeJS.ProcessEnv) => runCli(["secrets", ...args], { DATA_DIR: dataDir, ...env });
const rotateWith = (env: NodeJS.ProcessEnv, ...more: string[]) => weft(["rotate", "--settle", "0", ...more], env);
const rotate = (...more: string[]) => rotateWith({}, ...more);

it("a key in the data folder is replaced, everything is sealed under the new one, and the former one is gone", async () => {
  keepInFile(FORMER);
  await keep(120, FORMER);
  // As a rotation leaves it that was killed on the way.
  writeFileSync(`${file()}.123.0123456789ab`, FORMER);
  const { code, stdout, stderr } = await rotate();
  const [key = "", ...others] = keysInFile();
  const { id } = new SealingKey(key);
  expect([code, stdout]).toEqual([
    0,
    `All data is sealed with the key ${id}; 121 values were sealed again. The former key is gone.\n`,
  ]);
  expect(stderr).toContain("Sealing idempotencyKeys: 120 of 120");
  expect(others).toEqual([]);
  expect(readdirSync(dataDir).filter(name => !name.startsWith("weft.db"))).toEqual(["rotation.lock", "secrets-key"]);
  expect(key).not.toBe(FORMER);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect((await openedWith(key)).sort()).toEqual(answers(120).sort());
  // What was hashed under the former key is found under it still.
  expect(await hashKey(store, fixedKeys(key))).toBe(FORMER);

  const status = await weft(["status", "--json"]);
  expect(JSON.parse(status.stdout)).toEqual({
    keyId: id,
    texts: expect.arrayContaining([
      { field: "idempotencyKeys.answer", keyId: id, key: "in use", count: 120 },
      { field: "keptKeys.key", keyId: id, key: "in use", count: 1 },
    ]),
  });
});

it("a killed rotation continues with its key", async () => {
  keepInFile(FORMER);
  await keep(400, FORMER, 5_000);
  const cut = startCli(["secrets", "rotate", "--settle", "0"], { DATA_DIR: dataDir });
  await cut.printed("Sealing idempotencyKeys: 100 of 400");
  cut.process.kill("SIGKILL");
  await cut.ended;
  const [next = "", former] = keysInFile();
  expect(former).toBe(FORMER);
  const half = new Set((await texts().find({}, { limit: 1000 })).items.map(({ answer }) => keyIdOf(answer!)));
  expect([...half].sort()).toEqual([next, FORMER].map(secret => new SealingKey(secret).id).sort());

  const { code, stdout, stderr } = await rotate("--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ keyId: new SealingKey(next).id, lost: 0 });
  expect(keysInFile()).toEqual([next]);
  expect(await openedWith(next)).toHaveLength(400);
});

it("one of two concurrent rotations is refused", async () => {
  keepInFile(FORMER);
  const lock = lockRotation(dataDir);
  const refused = await rotate();
  expect([refused.code, refused.stderr]).toEqual([1, `weft: Another rotation is in progress on ${dataDir}.\n`]);
  lock.release();
  expect((await rotate()).code).toBe(0);
});

it("a key from the environment is replaced in documented steps", async () => {
  await keep(3, FORMER);
  const said = await rotateWith({ SECRETS_KEY: FORMER });
  expect([said.code, said.stdout]).toEqual([0, expect.stringMatching(/^[\w-]{43}\n$/)]);
  expect(said.stderr).toContain("Add the new key to SECRETS_KEYS_OLD");
  expect(await hashKey(store, fixedKeys(FORMER))).toBe(FORMER);

  const done = await rotateWith({ SECRETS_KEY: NEXT, SECRETS_KEYS_OLD: `${STRANGE}, ${FORMER}` });
  expect(done.stderr).not.toContain("left");
  expect(done.stdout).toContain("4 values were sealed again. Once all nodes run");
  expect((await openedWith(NEXT)).sort()).toEqual(answers(3));
  expect(await hashKey(store, fixedKeys(NEXT))).toBe(FORMER);
  expect(() => statSync(file())).toThrow();
});

it("values that no key decrypts are reported, and removed on request", async () => {
  keepInFile(FORMER);
  await Promise.all([keep(2, FORMER), keep(3, STRANGE)]);
  const which = [0, 1, 2].map(at => `  idempotencyKeys.answer of ${STRANGE.slice(0, 12)} ${at}\n`);
  const left = await rotate();
  expect([left.code, left.stderr]).toEqual([0, expect.stringContaining("No known key opens 3 values")]);
  expect(left.stdout).toMatch(/^All readable data is sealed with/);
  for (const one of which) expect(left.stderr).toContain(one);
  const dropped = await rotate("--drop-lost");
  expect(dropped.stderr).toContain("Removed 3 values that no known key opens:\n");
  for (const one of which) expect(dropped.stderr).toContain(one);
  expect((await openedWith(...keysInFile())).sort()).toEqual([...answers(2), null, null, null].sort());
  expect(await texts().count({})).toBe(5);
});

it("a lost key and the values under it are given up only on request", async () => {
  await hashKey(store, fixedKeys(STRANGE));
  keepInFile(FORMER);
  const refused = await rotate();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`sealed under the key ${new SealingKey(STRANGE).id}`);
  expect(refused.stderr).toContain("--drop-lost removes");
  expect(keysInFile()).toEqual([FORMER]);
  expect((await rotate("--drop-lost")).code).toBe(0);
  expect(await hashKey(store, fixedKeys(...keysInFile()))).toBe(FORMER);
});

it.each<[string, NodeJS.ProcessEnv, number, string]>([
  ["no store", { DATA_DIR: join(tmpdir(), "weft-nowhere") }, 1, "There is no store in"],
  ["no key", {}, 1, "There is no secrets-key in"],
  ["a bad key", { SECRETS_KEY: "short" }, 1, "SECRETS_KEY: is not valid"],
  ["a bad former key", { SECRETS_KEY: NEXT, SECRETS_KEYS_OLD: `${FORMER},short` }, 1, "SECRETS_KEYS_OLD: is not valid"],
])("%s is refused, and nothing is created", async (_, env, code, message) => {
  const ended = await rotateWith(env);
  expect([ended.code, ended.stdout]).toEqual([code, ""]);
  expect(ended.stderr).toContain(message);
  expect(ended.stderr).not.toContain("short");
  expect(() => statSync(file())).toThrow();
});
