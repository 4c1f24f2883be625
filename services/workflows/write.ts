import type { Store } from "../../adapters/store/port.ts";
import { callerOf, handle } from "../../contracts/call.ts";
import { type Workflow, workflowEtag } from "../../contracts/entities/workflow.ts";
import { AppError } from "../../contracts/errors.ts";
import { checkDefinition, definitionErrors } from "../../core/graph/check-definition.ts";
import { matchesTag } from "../../core/if-match.ts";
import { changedContent } from "../../core/workflow-versions.ts";
import { newId } from "../../service-kit/new-id.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { usesChange } from "./credential-uses.ts";
import { aliveIn, findWorkflow, type WorkflowScope } from "./find-workflow.ts";
import { insertWorkflow } from "./insert-workflow.ts";
import { presentWorkflow, workflows } from "./model.ts";
import { knownVariables } from "./known-variables.ts";
import { saveVersion } from "./save-version.ts";
import { offerTool, settleTool } from "./tools.ts";

/** Each failed attempt means that another request made a version. */
const MAX_ATTEMPTS = 100;

/**
 * Makes a version of the current content with this change. A change without effect makes no version.
 * @throws {AppError} not_found, precondition_failed, payload_too_large, conflict
 */
export async function changeContent(
  store: Store,
  scope: WorkflowScope & { ifMatch?: string | undefined },
  change: Parameters<typeof changedContent>[1],
  userId: string,
): Promise<Workflow> {
  const { ifMatch } = scope;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const current = await findWorkflow(store, scope);
    if (ifMatch !== undefined && !matchesTag(ifMatch, workflowEtag(presentWorkflow(current)))) {
      throw new AppError("precondition_failed");
    }
    const content = changedContent(current, change);
    if (!content) return presentWorkflow(current);
    const saved = await saveVersion(store, current, content, userId);
    if (saved) return presentWorkflow(saved);
  }
  throw new AppError("conflict");
}

export const create = handle<"workflows.create", WithStore>("workflows.create", function (ctx) {
  return insertWorkflow(this.store, { ...ctx.params, id: newId(ctx) }, ctx.params, callerOf(ctx).userId);
});

export const update = handle<"workflows.update", WithStore>("workflows.update", function (ctx) {
  return changeContent(this.store, ctx.params, ctx.params, callerOf(ctx).userId);
});

const FAULTY = "The definition has errors. Correct them, or set `force` to deploy it anyway.";

export const deploy = handle<"workflows.deploy", WithStore>("workflows.deploy", async function (ctx) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { version, definition } = await findWorkflow(this.store, ctx.params);
    const vars = ctx.params.force ? undefined : await knownVariables(ctx, ctx.params, definition);
    const faults = ctx.params.force ? [] : checkDefinition(definition, vars);
    if (faults.length > 0)
      throw new AppError("invalid_definition", { detail: FAULTY, errors: definitionErrors(faults) });
    const now = new Date();
    const { $set, $unset } = usesChange("deployedUses", definition);
    const deployed = await this.store.tenant(workflows, ctx.params.workspaceId).updateOne(
      { ...aliveIn(ctx.params), version },
      {
        $set: { deployedAt: now, deployedVersion: version, updatedAt: now, ...$set },
        ...($unset && { $unset }),
      },
    );
    if (!deployed) continue;
    await offerTool(this.store, deployed);
    await settleTool(this.store, ctx.params);
    return presentWorkflow(deployed);
  }
  throw new AppError("conflict");
});
