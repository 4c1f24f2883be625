import { AppError, errorCode } from "../../../contracts/errors.ts";
import type { OnConflict } from "../../../contracts/entities/run-identity.ts";
import { isFinal } from "../../../core/run/state.ts";
import { cancelExecution } from "../engine/cancel-execution.ts";
import { type CreatedExecution, isKeyConflict } from "../engine/create-execution.ts";
import { createCounted } from "../engine/start-quota.ts";
import { type ExecutionDoc, Executions } from "../store/model.ts";
import type { NewExecution } from "../store/new-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/** Concurrent starts that cancel one another may each conflict with all the others. */
const MAX_TRIES = 200;

export interface Created extends CreatedExecution {
  /** An earlier call with the same id created it. */
  replayed: boolean;
  /** True when another run already had the key. `doc` is that run. */
  found: boolean;
}

type Wanted = NewExecution & { id: string };

/** The open run with a key. It also frees the key of an ended run whose worker died before it freed it. */
async function openRun({ store }: ExecutionsService, { workspaceId, workflowId, key }: NewExecution) {
  const docs = store.tenant(Executions, workspaceId);
  const open = await docs.get({ workflowId, openKey: key ?? null });
  if (!open || !isFinal(open.status)) return open;
  await docs.updateOne({ id: open.id, status: open.status }, { $unset: { openKey: 1 } });
  return null;
}

async function cancel(service: ExecutionsService, open: ExecutionDoc): Promise<void> {
  await cancelExecution(service, open).catch((error: unknown) => {
    if (errorCode(error) !== "execution_finished" && errorCode(error) !== "not_found") throw error;
  });
}

/**
 * The response to a start whose key belongs to another run.
 * @throws {AppError} execution_key_taken with `reject`
 */
function giveOther(doc: ExecutionDoc, onConflict: "return" | "reject"): Created {
  if (onConflict === "return") return { doc, replayed: false, found: true };
  const detail = `The run ${doc.id} of the workflow has the key and has not ended.`;
  throw new AppError("execution_key_taken", { detail });
}

async function create(service: ExecutionsService, wanted: Wanted, onConflict: OnConflict): Promise<Created> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      return { ...(await createCounted(service, wanted)), found: false };
    } catch (error) {
      const isRefused = errorCode(error) === "quota_exceeded" && wanted.key !== undefined && onConflict === "return";
      // The quota does not matter when an open run has the key, since that run is returned.
      const open = isRefused ? await openRun(service, wanted) : null;
      if (open) return { doc: open, replayed: false, found: true };
      if (!isKeyConflict(error)) throw error;
    }
    const open = await openRun(service, wanted);
    if (!open) continue;
    if (open.id === wanted.id) return { doc: open, replayed: true, found: false };
    if (onConflict !== "cancel") return giveOther(open, onConflict);
    await cancel(service, open);
  }
  throw new AppError("conflict", { detail: "Too many starts have this key at the same time. Try again." });
}

/**
 * Creates an execution with a key that no other open execution of the workflow has. A unique index decides which of
 * several starts creates it. A run may end with the write that stores it. Starts that arrive on this node before that
 * write is confirmed count as simultaneous, so they get the same response as with an open run.
 * @throws {AppError} execution_key_taken with `reject`, and the errors of `createCounted`
 */
export async function createKeyed(
  service: ExecutionsService,
  wanted: Wanted,
  onConflict: OnConflict,
): Promise<Created> {
  const { workspaceId, workflowId, key } = wanted;
  if (key === undefined) return create(service, wanted, onConflict);
  const place = `${workspaceId}/${workflowId}/${key}`;
  while (onConflict !== "cancel") {
    const before = service.keyed.get(place);
    if (!before) break;
    const other = await before;
    if (other && other.id !== wanted.id) return giveOther(other, onConflict);
  }
  const mine = create(service, wanted, onConflict);
  const over = () => {
    if (service.keyed.get(place) === stored) service.keyed.delete(place);
  };
  const stored: Promise<ExecutionDoc | null> = mine
    .then(({ doc, found, replayed }) => (found || replayed ? null : doc))
    .catch(() => null)
    .finally(over);
  service.keyed.set(place, stored);
  return mine;
}
