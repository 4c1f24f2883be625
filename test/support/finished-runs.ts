import { v7 as uuid } from "uuid";
import type { Store, WriteOp } from "../../adapters/store/port.ts";
import { durationOf } from "../../services/executions/store/durations.ts";
import { Executions, Journal, journalId, type ExecutionDoc } from "../../services/executions/store/model.ts";

/** An execution document with a random id. By default it finished one second after its start. */
export function executionDoc(fields: Partial<ExecutionDoc> & Pick<ExecutionDoc, "workspaceId">): ExecutionDoc {
  const { createdAt = new Date() } = fields;
  const finished = { startedAt: createdAt, finishedAt: new Date(createdAt.getTime() + 1_000) };
  const status = fields.status ?? "completed";
  const doc: ExecutionDoc = {
    id: uuid(),
    spaceId: fields.workspaceId,
    workflowId: uuid(),
    workflowVersion: 1,
    trigger: { type: "manual" },
    startedBy: uuid(),
    attempt: 1,
    createdAt,
    ...(["completed", "failed", "cancelled"].includes(status) && finished),
    ...fields,
    status,
  };
  if (doc.finishedAt && !("durationMs" in fields)) doc.durationMs = durationOf(doc.startedAt, doc.finishedAt);
  return doc;
}

export const insertRuns = (store: Store, docs: ExecutionDoc[]) => store.acrossTenants(Executions).insertMany(docs);

/** Inserts a journal with this many appends. */
export const insertJournal = (store: Store, { id: executionId, workspaceId }: ExecutionDoc, appends: number) =>
  store.acrossTenants(Journal).insertMany(
    Array.from({ length: appends }, (_, seq) => ({
      id: journalId(executionId, seq),
      workspaceId,
      executionId,
      seq,
      entries: [],
    })),
  );

/**
 * The store with the writes of MongoDB: one after another and not atomically, so that others may come in between.
 * `before` runs before each write, and can delay it or fail.
 */
export function withoutTransactions(store: Store, before: () => void | Promise<void> = () => undefined): Store {
  const write = async (ops: readonly WriteOp[]) => {
    const counts: number[] = [];
    for (const op of ops) {
      await new Promise(setImmediate);
      await before();
      counts.push(...(await store.write([op])));
    }
    return counts;
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === "write") return write;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
