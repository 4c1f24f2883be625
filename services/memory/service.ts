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

/** Whose memory it is: of a user, or of a thread or workflow of that user. Only memories of the same owner are compared. */
export interface MemoryOwner {
  userId: string;
  scope: MemoryScope;
  threadId?: string | null | undefined;
  workflowId?: string | null | undefined;
}

/** The fields that identify an owner. The thread or workflow of a user's memory is not part of it. */
export const ownerFields = ({ userId, scope, threadId, workflowId }: MemoryOwner) => ({
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
export function checkPlace({ scope, threadId, workflowId }: Omit<MemoryOwner, "userId">): void {
  if (scope === "thread" && !threadId) throw needed("threadId", scope);
  if (scope === "workflow" && !workflowId) throw needed("workflowId", scope);
}
