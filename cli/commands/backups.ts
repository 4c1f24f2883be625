import { type Command, CommandError, type Invocation, UsageError } from "../command.ts";
import { DATA_DIR_OPTION, installation } from "../installation.ts";
import { longWork } from "../long-work.ts";
import { sizeText } from "../meter.ts";
import { jsonText, printMessage, printResult, withoutControls } from "../terminal.ts";
import type { Manifest } from "../../adapters/transfer/manifest.ts";

const needed = (given: Invocation, option: string): string => {
  const text = given.text(option);
  if (!text) throw new UsageError(`--${option} is required`);
  return text;
};

const documentsIn = ({ collections }: Manifest): number =>
  Object.values(collections).reduce((sum, { count }) => sum + count, 0);

const bytesIn = ({ files }: Manifest): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

function tellKeys({ files, keys }: Manifest): void {
  const inside = files.map(({ name }) => name as string);
  if (inside.length > 1)
    printMessage("The backup contains the keys that decrypt your secrets. Keep it as safe as the data folder.");
  const outside = [
    ...(keys.JWT_SECRET && !inside.includes("jwt-secret") ? ["JWT_SECRET"] : []),
    ...(keys.SECRETS_KEY && !inside.includes("secrets-key") ? ["SECRETS_KEY"] : []),
  ];
  if (outside.length > 0)
    printMessage(`The backup does not contain ${outside.join(" and ")}. Keep a copy elsewhere: a restore needs them.`);
}

async function backup(given: Invocation, version: string): Promise<number | void> {
  const to = needed(given, "to");
  const { dataDir, mongodbUri, filesUrl, given: keys } = await installation(given);
  if (mongodbUri && !given.text("data-dir"))
    throw new CommandError("MONGODB_URI is set. Back up MongoDB with its own tools, such as mongodump.");
  return longWork(given, async (signal, onProgress) => {
    const [{ COLLECTIONS }, { takeBackup }, { openObjects }] = await Promise.all([
      import("../collections.ts"),
      import("../../adapters/transfer/take-backup.ts"),
      import("../../adapters/files/open-files.ts"),
    ]);
    const manifest = await takeBackup({
      ...{ dataDir, to, collections: COLLECTIONS, given: keys, withKeys: !given.flag("without-keys") },
      ...{ version, signal, onProgress },
      openFiles: given.flag("without-files") ? null : () => openObjects({ filesUrl, dataDir }),
    });
    if (given.flag("json")) return printResult(jsonText(manifest));
    printResult(
      withoutControls(`Backed up ${documentsIn(manifest)} documents (${sizeText(bytesIn(manifest))}) to ${to}.`),
    );
    tellKeys(manifest);
  });
}

async function tellMissingKeys(dataDir: string, { keys: made }: Manifest, given: Partial<Record<string, string>>) {
  const { KEY_NAMES, keptKeys, keyId } = await import("../../adapters/transfer/keys.ts");
  const kept = keptKeys(dataDir);
  for (const name of ["JWT_SECRET", "SECRETS_KEY"] as const) {
    const usable = given[name] ? [given[name]] : kept[name];
    if (made[name] !== null && !usable.some(key => keyId(key) === made[name]))
      printMessage(`Set ${name} to the key of the backup, or put that key into ${KEY_NAMES[name]} of the data folder.`);
  }
}

async function restore(given: Invocation, version: string): Promise<number | void> {
  const from = needed(given, "from");
  const { dataDir, mongodbUri, filesUrl, given: keys } = await installation(given);
  if (mongodbUri && !given.text("data-dir") && !given.flag("check"))
    throw new CommandError("MONGODB_URI is set, so Weft would not read the restored folder. Name one with --data-dir");
  return longWork(given, async (signal, onProgress) => {
    const { checkBackup, restoreBackup } = await import("../../adapters/transfer/restore-backup.ts");
    if (given.flag("check")) {
      const manifest = await checkBackup({ from, signal, onProgress });
      if (given.flag("json")) return printResult(jsonText(manifest));
      return printResult(
        withoutControls(`The backup of ${manifest.createdAt} is complete: ${documentsIn(manifest)} documents.`),
      );
    }
    const force = given.flag("force");
    const { openObjects } = await import("../../adapters/files/open-files.ts");
    const openFiles = filesUrl ? () => openObjects({ filesUrl, dataDir }) : undefined;
    const { manifest, former } = await restoreBackup({ from, dataDir, force, openFiles, version, signal, onProgress });
    if (given.flag("json")) printResult(jsonText({ ...manifest, dataDir, former }));
    else
      printResult(
        withoutControls(`Restored ${documentsIn(manifest)} documents of ${manifest.createdAt} to ${dataDir}.`),
      );
    if (former) printMessage(withoutControls(`The previous contents are in ${former}.`));
    await tellMissingKeys(dataDir, manifest, keys);
  });
}

export const BACKUPS: Command[] = [
  {
    name: "backup",
    summary: "Back up the embedded store to a folder, even while Weft runs",
    options: {
      to: { type: "string", value: "folder", help: "the target folder, which must not exist yet" },
      "without-files": { type: "boolean", help: "leave out the bytes of files" },
      "without-keys": { type: "boolean", help: "leave out the keys in the data folder" },
      ...DATA_DIR_OPTION,
    },
    notes: [
      "The backup is a snapshot of the store. It contains every change that was acknowledged before the command began.",
      "It includes the keys of the data folder, readable by their owner only. Without these keys all sessions end, and",
      "sealed secrets cannot be opened. The command uses the data folder of this machine, not --url.",
    ],
    run: backup,
  },
  {
    name: "restore",
    summary: "Restore a data folder from a backup",
    options: {
      from: { type: "string", value: "folder", help: "a folder that weft backup created" },
      force: {
        type: "boolean",
        help: "restore even if the data folder is not empty; the previous contents are kept inside it",
      },
      check: { type: "boolean", help: "only verify the checksums of the backup" },
      ...DATA_DIR_OPTION,
    },
    notes: [
      "Stop Weft on the folder first. Runs continue after the last step that had ended when the backup was taken.",
    ],
    run: restore,
  },
];
