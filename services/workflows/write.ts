import { callerOf, handle } from "../../contracts/call.ts";
import type { Workflow } from "../../contracts/entities/workflow.ts";
import { AppError } from "../../contracts/errors.ts";
import { matchesVersion } from "../../core/if-match.ts";
import { changedContent } from "../../core/workflow-versions.ts";
import { newId } from "../../service-kit/new-id.ts";
import { holdFiles, type Writer } from "./file-holds.ts";
import { findWorkflow, type WorkflowScope } from "./find-workflow.ts";
import { insertWorkflow } from "./insert-workflow.ts";
import { presentWorkflow } from "./model.ts";
import { saveVersion } from "./save-version.ts";

/** Each failed attempt means that another request created a version. */
const MAX_ATTEMPTS = 100;

/**
 * Creates a version of the current content with this change. A change without effect creates no version.
 * @throws {AppError} not_found, precondition_failed, payload_too_large, conflict
 */
export async function changeContent(
  writer: Writer,
  scope: WorkflowScope & { ifMatch?: string | undefined; message?: string | undefined },
  change: Parameters<typeof changedContent>[1],
  userId: string,
): Promise<Workflow> {
  const { store } = writer;
  const { ifMatch, message } = scope;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const current = await findWorkflow(store, scope);
    // A change of the content overwrites only the content, so it does not matter whether the workflow was starred or
    // deployed meanwhile.
    if (ifMatch !== undefined && !matchesVersion(ifMatch, current.version)) {
      throw new AppError("precondition_failed");
    }
    const content = changedContent(current, change);
    if (!content) return presentWorkflow(current);
    await holdFiles(writer, scope, content.definition);
    const saved = await saveVersion(store, current, content, { createdBy: userId, message });
    if (saved) return presentWorkflow(saved);
  }
  throw new AppError("conflict");
}

export const create = handle<"workflows.create", Writer>("workflows.create", function (ctx) {
  return insertWorkflow(this, { ...ctx.params, id: newId(ctx) }, ctx.params, callerOf(ctx).userId);
});

export const update = handle<"workflows.update", Writer>("workflows.update", function (ctx) {
  return changeContent(this, ctx.params, ctx.params, callerOf(ctx).userId);
});
