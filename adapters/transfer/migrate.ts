import type { Digest } from "../store/digest.ts";
import { MIGRATION_ID as ID, migrations } from "../store/migration-record.ts";
import type { CollectionSpec, Store } from "../store/port.ts";
import type { FrozenFile } from "../store/sqlite/frozen-file.ts";
import type { ObjectStore } from "../files/port.ts";
import { copyObjects, objectNames } from "./copy-objects.ts";
import { copyCollection, digestBoth, everyDocument } from "./copy-documents.ts";
import { type OnProgress, TransferError } from "./transfer.ts";

const REMOVED = 1000;
/** Bounds the loop. No installation needs this many batches. */
const MAX_BATCHES = 1_000_000;

export interface MigrationSettings {
  source: FrozenFile;
  target: Store;
  /** The collections to copy. */
  collections: readonly CollectionSpec[];
  /** The collections that their services rebuild. They are not copied. */
  derived: readonly CollectionSpec[];
  /** Identifies the source installation by a stable text. */
  sourceId: string;
  /** Whether to remove the documents of an unfinished migration from the target, and to start again. */
  restart: boolean;
  /** The source and the target of files' bytes. Null if both are the same store. */
  files: { source: ObjectStore; target: ObjectStore } | null;
  signal: AbortSignal;
  onProgress: OnProgress;
}

export interface Migration {
  collections: Record<string, Digest>;
  /** Whether the migration had already finished. Then nothing was written, and both sides were compared again. */
  again: boolean;
  /** The files whose bytes were copied or already existed, and the files without bytes on either side. */
  files: { copied: number; missing: number };
}

/**
 * Copies all documents of an unused embedded store into another store, with the bytes of files, and compares both sides
 * by counts and hashes. It only inserts, so it may be interrupted and repeated. It refuses a target with other
 * documents.
 * @throws {TransferError} when the migration is refused, or the sides differ; also the store's errors and the signal's
 * reason.
 */
export async function migrate(settings: MigrationSettings): Promise<Migration> {
  const { source, target, collections, restart } = settings;
  refuseUnknown(settings);
  await target.register([...collections, migrations]);
  const markers = target.global(migrations);
  const found = await markers.get({ id: ID });
  const again = await begin(settings, found);
  const all = collections.reduce((sum, { layout }) => sum + source.count(layout), 0);
  if (!again) {
    if (found && restart) await empty(target, collections, settings.signal);
    const copied = stepper(settings, "Copying", all);
    for (const spec of collections) await copyCollection(source, target, spec, copied);
  }
  // A target that has been used since is refused before anything is written to it.
  const before = again ? await compare(settings, all, again) : undefined;
  const files = await carryFiles(settings);
  const digests = before ?? (await compare(settings, all, again));
  if (!again) await markers.updateOne({ id: ID }, { $set: { finishedAt: new Date() } });
  return { collections: digests, again, files };
}

/** Copies the bytes of files. They are sealed with keys in their documents. */
function carryFiles({ source, collections, files, signal, onProgress }: MigrationSettings) {
  if (!files) return { copied: 0, missing: 0 };
  return copyObjects({ names: objectNames(source, collections), ...files, signal, onProgress });
}

/** Refuses documents of unknown collections, because they would be left behind and lost. */
function refuseUnknown({ source, collections, derived }: MigrationSettings): void {
  const known = new Set([...collections, ...derived, migrations].map(({ name }) => name));
  const unknown = source.collections.filter(name => !known.has(name));
  if (unknown.length > 0)
    throw new TransferError(
      `This version does not know these collections: ${unknown.join(", ")}. Was a newer version used here?`,
    );
}

/** Begins or continues a migration. Returns whether it has already finished. */
async function begin(
  { target, collections, sourceId }: MigrationSettings,
  found: { source: string; finishedAt?: Date } | null,
): Promise<boolean> {
  if (found && found.source !== sourceId)
    throw new TransferError("The target holds data that was moved there from another installation");
  if (found) return found.finishedAt !== undefined;
  for (const spec of collections)
    if ((await everyDocument(target, spec).count({}, { limit: 1 })) > 0)
      throw new TransferError(
        `The target is not empty (${spec.name}): it belongs to another installation, or Weft ran on it`,
      );
  await target.global(migrations).insert({ id: ID, source: sourceId, startedAt: new Date() });
  return false;
}

async function empty(target: Store, collections: readonly CollectionSpec[], signal: AbortSignal): Promise<void> {
  for (const spec of collections) {
    const docs = everyDocument(target, spec);
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      signal.throwIfAborted();
      if ((await docs.remove({}, { limit: REMOVED })) < REMOVED) break;
    }
  }
}

async function compare(settings: MigrationSettings, all: number, again: boolean): Promise<Record<string, Digest>> {
  const { source, target, collections } = settings;
  const compared = stepper(settings, "Comparing", all);
  const digests: Record<string, Digest> = {};
  const different: string[] = [];
  for (const spec of collections) {
    const both = await digestBoth(source, target, spec, compared);
    digests[spec.name] = both.source;
    if (both.source.count !== both.target.count || both.source.hash !== both.target.hash)
      different.push(`${spec.name} (${both.source.count} here, ${both.target.count} there)`);
  }
  if (different.length === 0) return digests;
  const why = again
    ? "The migration was finished before, and since then one of the two sides was in use"
    : "One of the two sides was changed since the migration began; --restart begins it anew";
  throw new TransferError(`The two sides differ: ${different.join(", ")}. ${why}.`);
}

function stepper({ signal, onProgress }: MigrationSettings, what: string, all: number): (count: number) => void {
  let done = 0;
  return count => {
    onProgress(what, (done += count), all, "documents");
    signal.throwIfAborted();
  };
}
