import type { AnyBulkWriteOperation, ClientSession } from "mongodb";
import type { WriteOp, WriteOutcome } from "../driver.ts";
import { type DocumentModel, type MongoDocument, toMongo } from "./model.ts";
import { mongoChange, mongoFilter } from "./mongo-filter.ts";
import { QUERY_MS } from "./mongo-options.ts";
import { orderedDespiteConflicts } from "./write-conflicts.ts";

type Insert = WriteOp & { kind: "insert" };
type Update = WriteOp & { kind: "update" };

/** Consecutive writes that are sent as one command. */
export type Batch = [WriteOp] | Insert[] | Update[];

/** The most writes of one command. The driver divides commands that do not fit into a message. */
const MAX_BATCH = 1_000;

const isUncounted = (op: WriteOp): op is Update => op.kind === "update" && op.uncounted && !op.required;

function joins(before: WriteOp, op: WriteOp): boolean {
  if (before.kind === "index" || op.kind === "index" || before.layout !== op.layout) return false;
  if (before.kind === "insert") return op.kind === "insert";
  return isUncounted(before) && isUncounted(op);
}

/** An insert with passing values becomes two writes: the insert with these values, and their removal. */
const withRelease = (op: WriteOp): WriteOp[] =>
  op.kind === "insert" && op.passing
    ? [{ kind: "insert", layout: op.layout, docs: [op.passing.held()] }, op.passing.release()]
    : [op];

/** The outcomes of the writes, without those of the removals that `batchesOf` added. */
export function outcomesOf(ops: readonly WriteOp[], outcomes: readonly WriteOutcome[]): WriteOutcome[] {
  let place = 0;
  return ops.map(op => {
    const outcome = outcomes[place] as WriteOutcome;
    place += op.kind === "insert" && op.passing ? 2 : 1;
    return outcome;
  });
}

/** Groups the writes in their order. Inserts, and updates that are not counted, can share one command. */
export function batchesOf(ops: readonly WriteOp[]): Batch[] {
  const batches: WriteOp[][] = [];
  for (const op of ops.flatMap(withRelease)) {
    const last = batches.at(-1);
    const before = last?.at(-1);
    if (last && before && last.length < MAX_BATCH && joins(before, op)) last.push(op);
    else batches.push([op]);
  }
  return batches as Batch[];
}

const commandsOf = (op: WriteOp): AnyBulkWriteOperation<MongoDocument>[] => {
  if (op.kind === "insert") return op.docs.map(doc => ({ insertOne: { document: toMongo(doc) } }));
  return op.kind === "update" ? [{ updateOne: { filter: mongoFilter(op.where), update: mongoChange(op.change) } }] : [];
};

/** Makes the writes of a batch with one command, in order and up to the first failure. */
export async function writeBatch(
  collection: DocumentModel["collection"],
  batch: Batch,
  session: ClientSession,
): Promise<WriteOutcome[]> {
  const options = { maxTimeMS: QUERY_MS, ordered: true, session };
  await orderedDespiteConflicts(batch.flatMap(commandsOf), commands =>
    collection.bulkWrite(commands as never[], options),
  );
  return batch.map(op => ({ count: op.kind === "insert" ? op.docs.length : 0 }));
}
