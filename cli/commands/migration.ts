import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FrozenFile } from "../../adapters/store/sqlite/frozen-file.ts";
import type { Store } from "../../adapters/store/port.ts";
import { type Command, CommandError, type Invocation, UsageError } from "../command.ts";
import { DATA_DIR_OPTION, installation, type Installation } from "../installation.ts";
import { longWork } from "../long-work.ts";
import { withoutControls, jsonText, printResult, printMessage } from "../terminal.ts";

const FILE = /^file:(.+)$/;
/** The password in an address is between the user name and the last @ before the path. */
const PASSWORD = /^[^:]+:\/\/[^/?@]*:[^/?]*@/;
const MONGODB = /^mongodb(\+srv)?:\/\/\S+$/;

/** The real path of a folder, with symbolic links resolved. */
function place(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

/** The target as store settings. Error messages never contain the address, because it may contain a password. */
function targetOf(given: Invocation, { dataDir, mongodbUri }: Installation): { dataDir: string; mongodbUri?: string } {
  const written = given.text("to");
  if (written && PASSWORD.test(written))
    throw new UsageError("Other users can read command lines: pass an address with a password as MONGODB_URI");
  const to = written ?? mongodbUri;
  if (!to) throw new UsageError("--to is required, or MONGODB_URI in the environment");
  const [, folder] = FILE.exec(to) ?? [];
  if (folder && place(folder) === place(dataDir)) throw new UsageError("--to is the data folder itself");
  if (folder) return { dataDir: folder };
  if (!MONGODB.test(to)) throw new UsageError("--to is an address that begins with mongodb://, or file: and a folder");
  return { dataDir, mongodbUri: to };
}

/** Explains that documents sealed with one key cannot be opened with another. */
async function tellKeys({ dataDir, given: set }: Installation): Promise<void> {
  const { KEY_NAMES, keptKeys, keyId } = await import("../../adapters/transfer/keys.ts");
  const kept = keptKeys(dataDir);
  printMessage("Set MONGODB_URI on every new node, and the same keys as this installation:");
  for (const name of ["SECRETS_KEY", "JWT_SECRET"] as const) {
    const file = join(dataDir, KEY_NAMES[name]);
    const [key, ...others] = kept[name];
    if (set[name] && key && keyId(set[name]) !== keyId(key))
      printMessage(
        withoutControls(`  ${name}: the environment and ${file} have different keys. Use the one that Weft ran with.`),
      );
    else if (set[name]) printMessage(`  ${name}: the value in this environment`);
    else if (key) printMessage(withoutControls(`  ${name}: the first line of ${file}`));
    else printMessage(`  ${name}: not set here, and not in the data folder`);
    if (others.length > 0 && !set[name])
      printMessage(
        "  SECRETS_KEYS_OLD: the other line of that file, because a rotation was interrupted. Finish it on the new nodes.",
      );
  }
}

async function keysOf({ dataDir, given: set }: Installation): Promise<Record<string, string>> {
  const { keptKeys } = await import("../../adapters/transfer/keys.ts");
  const kept = keptKeys(dataDir);
  const [key, ...others] = set.SECRETS_KEY ? [set.SECRETS_KEY] : kept.SECRETS_KEY;
  const secret = set.JWT_SECRET ?? kept.JWT_SECRET[0];
  return {
    ...(key && { SECRETS_KEY: key }),
    ...(others.length > 0 && { SECRETS_KEYS_OLD: others.join(",") }),
    ...(secret && { JWT_SECRET: secret }),
  };
}

async function openSource(dataDir: string): Promise<FrozenFile> {
  const [{ FrozenFile }, { STORE_FILE }, { exists }] = await Promise.all([
    import("../../adapters/store/sqlite/frozen-file.ts"),
    import("../../adapters/transfer/manifest.ts"),
    import("../../adapters/transfer/safe-files.ts"),
  ]);
  const file = join(dataDir, STORE_FILE);
  if (!(await exists(file))) throw new CommandError(`There is no embedded store in ${dataDir}.`);
  return FrozenFile.open(file);
}

/** The file stores of the source and of the target. With FILES_URL, both use that one. */
async function openFiles({ dataDir, filesUrl }: Installation, target: { dataDir: string; mongodbUri?: string }) {
  const { openObjects } = await import("../../adapters/files/open-files.ts");
  return { source: await openObjects({ dataDir }), target: await openObjects({ ...target, filesUrl }) };
}

async function migrateTo(given: Invocation): Promise<number | void> {
  const here = await installation(given);
  const target = targetOf(given, here);
  return longWork(given, async (signal, onProgress) => {
    const [{ COLLECTIONS, DERIVED }, { migrate }, { openStore }, { copyKeys, keptKeys, keyId }] = await Promise.all([
      import("../collections.ts"),
      import("../../adapters/transfer/migrate.ts"),
      import("../../adapters/store/open-store.ts"),
      import("../../adapters/transfer/keys.ts"),
    ]);
    const source = await openSource(here.dataDir);
    let store: Store | undefined;
    let files: Awaited<ReturnType<typeof openFiles>> | undefined;
    try {
      if (!target.mongodbUri) await copyKeys(here.dataDir, target.dataDir);
      store = await openStore({ ...target, sync: "normal" });
      const key = here.given.SECRETS_KEY ?? keptKeys(here.dataDir).SECRETS_KEY[0];
      files = await openFiles(here, target);
      const done = await migrate({
        ...{ source, target: store, files, sourceId: keyId(key) ?? "", restart: given.flag("restart") },
        ...{ collections: COLLECTIONS.filter(spec => !DERIVED.includes(spec)), derived: DERIVED, signal, onProgress },
      });
      const documents = Object.values(done.collections).reduce((sum, { count }) => sum + count, 0);
      const keys = given.flag("show") ? await keysOf(here) : undefined;
      if (given.flag("json")) return printResult(jsonText({ documents, ...done, keys }));
      printResult(
        `${done.again ? "Already copied. Compared" : "Copied and compared"} ${documents} documents: they are equal.`,
      );
      if (done.files.missing > 0)
        printMessage(`The bytes of ${done.files.missing} files are missing in both installations.`);
      if (target.mongodbUri) await tellKeys(here);
      for (const [name, key] of Object.entries(keys ?? {})) printResult(`${name}=${key}`);
      printMessage(
        "Weft rebuilds the search index when it starts on the new store. Do not start Weft on the old one, or the stores will differ.",
      );
    } finally {
      await files?.source.close();
      await files?.target.close();
      await store?.close();
      source.close();
    }
  });
}

export const MIGRATION: Command[] = [
  {
    name: "migrate",
    summary: "Copy an installation with the embedded store to MongoDB",
    options: {
      to: {
        type: "string",
        value: "uri",
        help: "mongodb://…, or file:<folder> for another data folder; else MONGODB_URI",
      },
      restart: { type: "boolean", help: "remove the data of an unfinished migration and start over" },
      show: { type: "boolean", help: "print the keys that the new nodes need" },
      ...DATA_DIR_OPTION,
    },
    notes: [
      "Stop Weft on both stores first. The command does not change the source. The target must be empty. To continue after",
      "an interruption, run the command again. At its end, it compares both stores by counts and hashes.",
    ],
    run: migrateTo,
  },
];
