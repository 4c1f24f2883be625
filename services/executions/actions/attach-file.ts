import type { Context } from "moleculer";
import type { ParamsOf } from "../../../contracts/actions.ts";
import { call, callerOf, handle } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import { fileFields } from "../../../core/forms/file-fields.ts";
import { openQuestions } from "../../../core/run/waits.ts";
import { getExecution, journalOf } from "../store/read-execution.ts";
import type { ExecutionsService } from "../upkeep/service.ts";
import { answererOf, mayAnswer, notAsked } from "./answer-execution.ts";

/**
 * The size of the largest file that an open question of the run asks the caller for.
 * @throws {AppError} not_found, execution_not_suspended, role_too_low, validation_failed
 */
async function largestAsked(
  service: ExecutionsService,
  ctx: Context<ParamsOf<"executions.files.begin">>,
): Promise<number> {
  const doc = await getExecution(service, ctx.params);
  const answerer = answererOf(ctx);
  const open = [...openQuestions(await journalOf(service, doc).fold())];
  if (open.length === 0) throw new AppError("execution_not_suspended");
  const own = open.filter(({ suspension }) => mayAnswer(suspension, answerer));
  if (own.length === 0) throw notAsked();
  const sizes = own.flatMap(({ suspension }) => fileFields(suspension.form)).map(({ maxBytes }) => maxBytes);
  if (sizes.length === 0) throw new AppError("validation_failed", { detail: "No open question asks for a file." });
  return Math.max(...sizes);
}

export const beginFile = handle<"executions.files.begin", ExecutionsService>(
  "executions.files.begin",
  async function (ctx) {
    await largestAsked(this, ctx);
    return { uploadId: (await call(ctx, "files.reserve", { workspaceId: ctx.params.workspaceId })).id };
  },
);

/** Stores a file for the answer to a question. The run holds it from the beginning. */
export const addFile = handle<"executions.files.add", ExecutionsService>("executions.files.add", async function (ctx) {
  const { workspaceId, id, name, contentType, upload } = ctx.params;
  const largest = await largestAsked(this, ctx);
  return call(ctx, "files.publish", {
    ...{ workspaceId, upload, name, owner: `execution:${id}`, createdBy: callerOf(ctx).userId },
    ...(contentType !== undefined && { contentType }),
    ...(Number.isFinite(largest) && { maxBytes: Math.max(0, Math.floor(largest)) }),
  });
});
