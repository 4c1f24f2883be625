import type { Service } from "moleculer";
import type { MemoryScope } from "../../contracts/entities/memory.ts";
import { AppError } from "../../contracts/errors.ts";
import type { WithSearch } from "../../service-kit/search.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { UserLocks } from "./user-locks.ts";

/** What the actions of this service use. */
export interface MemoryService extends Service, WithStore, WithSearch {
  turns: UserLocks;
}

/** The place of a memory. Memories of different places are never compared. */
export interface Place {
  userId: string;
  scope: MemoryScope;
  threadId?: string | null | undefined;
  workflowId?: string | null | undefined;
}

/** The fields that identify a place. The thread or workflow of a user's memory is not part of it. */
export const placeFields = ({ userId, scope, threadId, workflowId }: Place) => ({
  userId,
  scope,
  ...(scope === "thread" && { threadId: threadId ?? "" }),
  ...(scope === "workflow" && { workflowId: workflowId ?? "" }),
});

const needed = (field: string, scope: MemoryScope) =>
  new AppError("validation_failed", {
    errors: [{ path: `/${field}`, message: `Required when \`scope\` is \`${scope}\`` }],
  });

/** @throws {AppError} validation_failed when the scope lacks its thread or workflow */
export function checkPlace({ scope, threadId, workflowId }: Omit<Place, "userId">): void {
  if (scope === "thread" && !threadId) throw needed("threadId", scope);
  if (scope === "workflow" && !workflowId) throw needed("workflowId", scope);
}
