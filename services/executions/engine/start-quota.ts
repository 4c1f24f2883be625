import { v7 as uuid } from "uuid";
import { isUniqueConflict } from "../../../adapters/store/errors.ts";
import { call } from "../../../contracts/call.ts";
import { type Quotas, UNLIMITED } from "../../../contracts/entities/quota.ts";
import { AppError, errorCode } from "../../../contracts/errors.ts";
import { notifyQuotaLevel } from "../../../service-kit/quota-level.ts";
import { quotasOf } from "../../../service-kit/quotas.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import type { NewExecution } from "../store/new-execution.ts";
import { type CreatedExecution, createOnce } from "./create-execution.ts";
import { maxAtOnce, countSlots, releaseSlot, takeSlot } from "./run-slots.ts";
import type { EngineService } from "./service.ts";

const TIMEOUT_MS = 5_000;
/**
 * For this long, a node refuses further starts without asking the store, so that a workspace at its quota causes little
 * load.
 */
const REFUSE_MS = 1_000;
const MAX_REFUSED = 1_000;

interface Created extends CreatedExecution {
  replayed: boolean;
}

const refused = new Map<string, { until: number; error: unknown }>();

const isCounted = (quotas: Quotas): boolean =>
  [quotas.executions_per_day, quotas.executions_per_month, quotas.steps_per_month, quotas.model_tokens_per_month].some(
    allowed => allowed < UNLIMITED,
  );

/** The parts of the quotas that one start uses. */
interface Taken {
  /** Call it when the run was created. */
  keep(): void;
  /** Call it when no run was created. */
  giveBack(): Promise<void>;
}

async function takeCount({ broker, usage }: EngineService, workspaceId: string, quotas: Quotas): Promise<Taken> {
  if (!isCounted(quotas)) {
    return { keep: () => usage.add(workspaceId, { executions: 1 }), giveBack: () => Promise.resolve() };
  }
  const { day } = await call(broker, "workspaces.usage.take", { workspaceId }, { timeout: TIMEOUT_MS });
  return {
    keep: () => undefined,
    async giveBack() {
      await call(broker, "workspaces.usage.giveBack", { workspaceId, day }, { timeout: TIMEOUT_MS });
    },
  };
}

/** @throws {AppError} quota_exceeded */
async function take(service: EngineService, workspaceId: string, id: string, quotas: Quotas): Promise<Taken> {
  const atOnce = maxAtOnce(quotas);
  if (atOnce === null) return takeCount(service, workspaceId, quotas);
  const { store } = service;
  notifyQuotaLevel(service, workspaceId, "executions_at_once", await takeSlot(store, workspaceId, id, atOnce), atOnce);
  try {
    const counted = await takeCount(service, workspaceId, quotas);
    return {
      keep: () => counted.keep(),
      async giveBack() {
        await releaseSlot(store, workspaceId, id);
        await counted.giveBack();
      },
    };
  } catch (error) {
    await releaseSlot(store, workspaceId, id);
    throw error;
  }
}

async function takeOrRefuse(service: EngineService, workspaceId: string, id: string, quotas: Quotas) {
  const now = performance.now();
  const last = refused.get(workspaceId);
  if (last && now < last.until) throw last.error;
  refused.delete(workspaceId);
  try {
    return await take(service, workspaceId, id, quotas);
  } catch (error) {
    if (errorCode(error) === "quota_exceeded" && isCounted(quotas)) {
      if (refused.size >= MAX_REFUSED) refused.clear();
      refused.set(workspaceId, { until: now + REFUSE_MS, error });
    }
    throw error;
  }
}

/**
 * Creates an execution that counts towards the quotas of its workspace, once for each id. Executions that other runs
 * start are not counted, so that a run that has begun can finish.
 * @throws {AppError} quota_exceeded, conflict
 */
export async function createCounted(service: EngineService, wanted: NewExecution): Promise<Created> {
  const { workspaceId, id = uuid() } = wanted;
  const quotas = await quotasOf(service.broker, workspaceId);
  let taken: Taken;
  try {
    taken = await takeOrRefuse(service, workspaceId, id, quotas);
  } catch (error) {
    // An earlier try may have created the run, and the caller repeats the request.
    const former =
      errorCode(error) === "quota_exceeded" && (await service.store.tenant(Executions, workspaceId).get({ id }));
    if (!former) throw error;
    return createOnce(service, { ...wanted, id });
  }
  const failed = (error: unknown) =>
    service.logger.warn("The quota count of a run that did not start could not be undone.", error);
  try {
    const created = await createOnce(service, { ...wanted, id });
    if (created.replayed) await taken.giveBack().catch(failed);
    else taken.keep();
    return created;
  } catch (error) {
    // After any other error, the run may exist.
    if (error instanceof AppError || isUniqueConflict(error)) await taken.giveBack().catch(failed);
    throw error;
  }
}

/** Frees the slot of a run that has ended, if its workspace has a quota of unfinished runs. */
export async function freeSlot({ broker, store }: EngineService, doc: ExecutionDoc): Promise<void> {
  if (doc.parentId !== undefined) return;
  if (maxAtOnce(await quotasOf(broker, doc.workspaceId)) === null) return;
  await releaseSlot(store, doc.workspaceId, doc.id);
}

/** The number of unfinished runs that count for the quota, or null when the workspace has no such quota. */
export async function countAtOnce({ broker, store }: EngineService, workspaceId: string): Promise<number | null> {
  const quotas = await quotasOf(broker, workspaceId);
  return maxAtOnce(quotas) === null ? null : countSlots(store, workspaceId);
}
