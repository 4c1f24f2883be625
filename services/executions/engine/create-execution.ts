import { isUniqueConflict, UniqueConflictError } from "../../../adapters/store/errors.ts";
import { hint } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import { formatOf } from "../../../core/graph/format.ts";
import type { CreatedEntry } from "../../../core/run/entry.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import { insertWrites } from "../store/labels.ts";
import { newExecution, type NewExecution } from "../store/new-execution.ts";
import { journalOf } from "../store/read-execution.ts";
import type { EngineService } from "./service.ts";
import type { Ended } from "./waiters.ts";

/** Whether a start failed because an open execution of the workflow has its key. */
export const isKeyConflict = (error: unknown): boolean =>
  isUniqueConflict(error) && (error as UniqueConflictError).fields.includes("openKey");

/** How often a start is tried. Between two tries the other node has finished what it began. */
const MAX_TRIES = 3;

type Wanted = NewExecution & { id: string };

/** An execution as it was created. `ended` is set if it ended with the write that stored it. */
export interface CreatedExecution {
  doc: ExecutionDoc;
  ended?: Ended | undefined;
}

/** Keeps what the input names, and the input itself where it is too large for the journal, before the run is stored. */
async function holdInput({ values }: EngineService, doc: ExecutionDoc, created: CreatedEntry): Promise<void> {
  created.input = await values.keepIfRoom(doc, created.input);
  await values.hold(doc, [created.input, created.trigger], new Set());
}

/**
 * Stores a new execution. It begins at once when this worker has room and nothing is queued. Otherwise it is queued for
 * its workspace's turn.
 * @throws {UniqueConflictError} when the id is taken
 */
export async function createExecution(service: EngineService, wanted: NewExecution): Promise<CreatedExecution> {
  const { engine, store, broker } = service;
  const workflow = await engine.definitions.get(wanted.workspaceId, wanted.workflowId, wanted.workflowVersion);
  const { doc, created } = newExecution({ ...wanted, needs: formatOf(workflow.parsed.graph) });
  await holdInput(service, doc, created);
  if (!wanted.retryOf && engine.hasRoom) {
    // Other executions may have taken the room meanwhile. Runs with a concurrency limit are counted when claimed, so
    // they queue.
    if (engine.hasRoom && !workflow.parsed.graph?.settings.concurrency) {
      if (engine.isHeld(doc.id)) throw new UniqueConflictError(Executions.name, ["id"]);
      return { doc, ended: await engine.begin(doc, created, workflow) };
    }
  }
  const append = journalOf(service, doc).append(created);
  await engine.queue.insert(doc.workspaceId, order =>
    store.write([append, ...insertWrites(store, { ...doc, queued: true, order })]),
  );
  engine.poke();
  hint(broker, "one", "execution.queued", { executionId: doc.id });
  service.watch.news.execution(doc.workspaceId, doc.id);
  return { doc };
}

/**
 * The execution that already has this id. If a node died between the two writes of a start, only the journal exists.
 * The execution then gets its document back, and the worker that claims it goes on from the journal.
 */
async function findFirst(service: EngineService, wanted: Wanted): Promise<ExecutionDoc | null> {
  const { store, engine } = service;
  const { id, workspaceId, spaceId } = wanted;
  const docs = store.tenant(Executions, workspaceId);
  const found = await docs.get({ id });
  if (found) {
    if (found.spaceId !== spaceId) throw new AppError("conflict", { detail: "The id belongs to another run." });
    return found;
  }
  const created = await journalOf(service, wanted).created();
  if (!created) return null;
  const doc: ExecutionDoc = { ...newExecution(wanted).doc, createdAt: new Date(created.at) };
  await engine.queue.insert(workspaceId, order => store.write(insertWrites(store, { ...doc, queued: true, order })));
  engine.poke();
  return doc;
}

/**
 * Creates an execution whose id is the same in every try. `replayed` is true if an earlier try created it.
 * @throws {AppError} conflict when the id belongs to another execution, or the store keeps reporting a conflict
 */
export async function createOnce(
  service: EngineService,
  wanted: Wanted,
): Promise<CreatedExecution & { replayed: boolean }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      return { ...(await createExecution(service, wanted)), replayed: false };
    } catch (error) {
      if (!isUniqueConflict(error) || isKeyConflict(error)) throw error;
    }
    try {
      const doc = await findFirst(service, wanted);
      if (doc) return { doc, replayed: true };
    } catch (error) {
      if (!isUniqueConflict(error) || isKeyConflict(error)) throw error;
    }
  }
  throw new AppError("conflict");
}
