import { callerOf, handle, roleOf } from "../../../contracts/call.ts";
import type { ExecutionStep, StepStatus } from "../../../contracts/entities/execution-step.ts";
import { AppError } from "../../../contracts/errors.ts";
import { asList } from "../../../contracts/primitives.ts";
import { includesRole } from "../../../core/roles.ts";
import { type Rows, rowsUnder } from "../../../core/run/outline/rows.ts";
import { publicUrl } from "../../../service-kit/public-url.ts";
import { getExecution } from "../store/read-execution.ts";
import { resumeUrl } from "../store/resume-token.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/** A page ends early when its rows reach this length as JSON. */
const MAX_PAGE_CHARS = 250_000;

/** @throws {AppError} invalid_cursor when the cursor is not one of this list */
function placeOf(cursor: string | undefined): number {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) throw new AppError("invalid_cursor");
  return Number(cursor ?? 0);
}

/** The cursor is the position after the last examined row. Positions do not change while a run goes on. */
function pageOf({ count, statusAt, rowAt }: Rows, statuses: ReadonlySet<StepStatus>, from: number, limit: number) {
  const items: ExecutionStep[] = [];
  let left = MAX_PAGE_CHARS;
  for (let place = from; place < count; place++) {
    if (statuses.size > 0 && !statuses.has(statusAt(place))) continue;
    if (items.length === limit || left <= 0) return { items, next: String(place) };
    const row = rowAt(place);
    items.push(row);
    left -= JSON.stringify(row).length;
  }
  return { items, next: null };
}

export const steps = handle<"executions.steps", ExecutionsService>("executions.steps", async function (ctx) {
  const { under, status, limit, cursor } = ctx.params;
  const from = placeOf(cursor);
  const { id, workspaceId, workflowId, workflowVersion } = await getExecution(this, ctx.params);
  const { parsed } = await this.engine.definitions.get(workspaceId, workflowId, workflowVersion);
  const outline = await this.reads.run(() => this.outlines.of(workspaceId, id));
  const page = pageOf(rowsUnder(outline, parsed.graph, under), new Set(asList(status)), from, limit);
  // Anyone who has the address can end the wait, so only users with the editor role receive it.
  if (callerOf(ctx).kind !== "user" || !includesRole(roleOf(ctx), "editor")) return page;
  const own = { hashKey: this.hashKey, base: publicUrl() };
  const withUrl = (row: ExecutionStep): ExecutionStep =>
    row.awaits ? { ...row, awaits: { ...row.awaits, url: resumeUrl(own, { id, workspaceId }, row) } } : row;
  return { ...page, items: page.items.map(withUrl) };
});
