import type { Service } from "moleculer";
import { call } from "../contracts/call.ts";
import type { LevelName } from "../contracts/entities/quota.ts";
import { errorCode } from "../contracts/errors.ts";
import { noticePercentOf } from "../core/usage-period.ts";
import type { Collection, Doc } from "../adapters/store/port.ts";
import { ensureLimit } from "./limit.ts";
import { quotasOf } from "./quotas.ts";

type Self = Pick<Service, "broker" | "logger">;

const TIMEOUT_MS = 5_000;
/**
 * For this long, this process does not repeat a mark. The service `workspaces` notifies of each mark once a month in
 * any case.
 */
const QUIET_MS = 60 * 60_000;
const MAX_REMEMBERED = 10_000;

const told = new Map<string, number>();

/**
 * Notifies the owners of a workspace when `used` reaches a mark of a quota of stored items. It does not wait. If the
 * service does not respond, the next addition to the workspace repeats the call.
 */
export function notifyQuotaLevel(
  { broker, logger }: Self,
  workspaceId: string,
  name: LevelName,
  used: number,
  allowed: number,
): void {
  const mark = noticePercentOf(used, allowed);
  if (mark === undefined) return;
  const key = `${workspaceId} ${name} ${mark} ${allowed}`;
  const now = performance.now();
  if (now < (told.get(key) ?? 0)) return;
  if (told.size >= MAX_REMEMBERED) told.clear();
  told.set(key, now + QUIET_MS);
  const options = { timeout: TIMEOUT_MS };
  call(broker, "workspaces.usage.reached", { workspaceId, name, percent: mark }, options).catch((error: unknown) => {
    told.delete(key);
    logger.warn(`The owners of a workspace could not be told that ${mark} % of a quota are in use.`, error);
  });
}

/**
 * Rejects another document of a workspace beyond its quota, and notifies the owners of marks.
 * @throws {AppError} limit_reached
 */
export async function ensureQuota<T extends Doc>(
  self: Self,
  name: "files" | "memories",
  workspaceId: string,
  docs: Collection<T>,
): Promise<void> {
  const { [name]: max } = await quotasOf(self.broker, workspaceId);
  try {
    const used = await ensureLimit(name, workspaceId, docs, {}, 1, max);
    if (used !== undefined) notifyQuotaLevel(self, workspaceId, name, used, max);
  } catch (error) {
    if (errorCode(error) === "limit_reached") notifyQuotaLevel(self, workspaceId, name, max, max);
    throw error;
  }
}
