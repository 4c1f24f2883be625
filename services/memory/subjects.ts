import type { Collection, Filter, Sort } from "../../adapters/store/port.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import { callerOf, handle } from "../../contracts/call.ts";
import { MAX_SUBJECT_COUNT, type MemorySubject } from "../../contracts/entities/memory.ts";
import { AppError } from "../../contracts/errors.ts";
import { namesOf } from "../../service-kit/names.ts";
import { CURRENT, memories, type MemoryDoc } from "./model.ts";
import type { MemoryService } from "./service.ts";

const FIELDS = { person: "userId", thread: "threadId", workflow: "workflowId" } as const;
type Field = (typeof FIELDS)[keyof typeof FIELDS];

const cursorOf = (id: string) => Buffer.from(id).toString("base64url");

/** @throws {AppError} invalid_cursor when the cursor is not one of this list */
function idOf(cursor: string | undefined): string {
  if (cursor === undefined) return "";
  const id = Buffer.from(cursor, "base64url").toString();
  if (id === "" || cursorOf(id) !== cursor) throw new AppError("invalid_cursor");
  return id;
}

/**
 * The newest memory for each value of the field, in the order of the values. Each look-up starts after the previous
 * value, so the work depends on the number of subjects and not on the number of memories.
 */
async function newestOfEach(
  all: Collection<MemoryDoc>,
  field: Field,
  within: Filter<MemoryDoc>,
  from: string,
  limit: number,
): Promise<MemoryDoc[]> {
  const found: MemoryDoc[] = [];
  const sort: Sort<MemoryDoc> = { ...({ [field]: 1 } as Sort<MemoryDoc>), createdAt: -1 };
  for (let after = from; found.length < limit;) {
    const behind: Filter<MemoryDoc> = { ...within, [field]: { $gt: after } };
    const [next] = (await all.find(behind, { sort, limit: 1 })).items;
    if (!next) break;
    found.push(next);
    after = next[field]!;
  }
  return found;
}

async function subjectsOf(
  service: MemoryService,
  { workspaceId, by, limit, cursor }: ParamsOf<"memory.subjects">,
  userId: string,
) {
  const field = FIELDS[by];
  const all = service.store.tenant(memories, workspaceId);
  const within: Filter<MemoryDoc> = by === "person" ? {} : { userId };
  const found = await newestOfEach(all, field, within, idOf(cursor), limit + 1);
  const shown = found.slice(0, limit);
  const counts = await Promise.all(
    shown.map(doc => all.count({ userId: doc.userId, [field]: doc[field]!, ...CURRENT }, { limit: MAX_SUBJECT_COUNT })),
  );
  const ids = shown.map(doc => doc[field]!);
  const names = await namesOf(service.broker, workspaceId, { workflows: by === "workflow" ? ids : [] });
  const items = shown.map(({ createdAt }, at): MemorySubject => ({
    ...{ id: ids[at]!, name: names.workflow(ids[at]!) ?? null },
    ...{ memories: counts[at]!, newestAt: createdAt.toISOString() },
  }));
  return { items, next: found.length > limit ? cursorOf(ids.at(-1)!) : null };
}

export const subjects = handle<"memory.subjects", MemoryService>("memory.subjects", async function (ctx) {
  const { userId = callerOf(ctx).userId } = ctx.params;
  return subjectsOf(this, ctx.params, userId);
});
