import type { Service } from "moleculer";
import type { MemoryScope } from "../../contracts/entities/memory.ts";
import { AppError } from "../../contracts/errors.ts";
import type { WithSearch } from "../../mixins/search.mixin.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import type { Turns } from "./turns.ts";

/** What the actions of this service find on it. */
export interface MemoryService extends Service, WithStore, WithSearch {
  turns: Turns;
}

/** Where a memory is: nothing that is known in one place is compared with what is known in another. */
export interface Place {
  userId: string;
  scope: MemoryScope;
  threadId?: string | null | undefined;
  workflowId?: string | null | undefined;
}

/** The fields that tell a place from others: what a user's memory was said in does not. */
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

/** @throws AppError validation_failed */
export function checkPlace({ scope, threadId, workflowId }: Omit<Place, "userId">): void {
  if (scope === "thread" && !threadId) throw needed("threadId", scope);
  if (scope === "workflow" && !workflowId) throw needed("workflowId", scope);
}
