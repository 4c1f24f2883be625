import { v7 as uuid } from "uuid";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import type { Store } from "../../adapters/store/port.ts";
import { callerOf, handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { checkDefinition, definitionErrors, errorsIn } from "../../core/graph/check-definition.ts";
import { namesOf } from "../../service-kit/names.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { usesChange } from "./credential-uses.ts";
import { warningsOf } from "./deployed-warnings.ts";
import { type DeploymentDoc, deployments, presentDeployment } from "./deployment-model.ts";
import { aliveIn, findVersion, findWorkflow } from "./find-workflow.ts";
import { knownNames } from "./known-names.ts";
import { presentWorkflow, type WorkflowDoc, workflows } from "./model.ts";
import { offerTool, syncTool } from "./tools.ts";

/** Each failed attempt means that another request changed or deployed the workflow. */
const MAX_ATTEMPTS = 100;
const FAULTY = "The definition has errors. Correct them, or set `force` to deploy it anyway.";

/** The record of the newest deployment; undefined if none was recorded. */
function recordOf(doc: WorkflowDoc): DeploymentDoc | undefined {
  const { workspaceId, spaceId, id: workflowId, deployment, deploymentCount, deployedVersion, deployedAt } = doc;
  if (!deployment || !deploymentCount || !deployedAt || deployedVersion === null) return undefined;
  const { id, message, by, previousVersion } = deployment;
  return {
    ...{ id, workspaceId, spaceId, workflowId, order: deploymentCount, version: deployedVersion },
    ...{ previousVersion, message, deployedBy: by, deployedAt },
  };
}

/**
 * Writes the record of the newest deployment. The workflow is deployed first. After an interruption, the record is
 * missing until the next deployment or the next read of the list adds it.
 */
async function record(store: Store, doc: WorkflowDoc): Promise<void> {
  const made = recordOf(doc);
  if (!made) return;
  try {
    await store.tenant(deployments, doc.workspaceId).insert(made);
  } catch (error) {
    if (!isUniqueConflict(error)) throw error;
  }
}

export const deploy = handle<"workflows.deploy", WithStore>("workflows.deploy", async function (ctx) {
  const { workspaceId, version: wanted, message = null, force } = ctx.params;
  const by = callerOf(ctx).userId;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const current = await findWorkflow(this.store, ctx.params);
    const { deploymentCount = 0, deployedVersion: previousVersion } = current;
    const content = wanted === undefined ? current : await findVersion(this.store, current, wanted);
    const { version, definition } = content;
    const found = force ? [] : checkDefinition(definition, await knownNames(ctx, ctx.params, definition));
    const faults = errorsIn(found);
    if (faults.length > 0)
      throw new AppError("invalid_definition", { detail: FAULTY, errors: definitionErrors(faults) });
    await record(this.store, current);
    const now = new Date();
    const { $set, $unset } = usesChange("deployedUses", definition);
    const made = { id: uuid(), message, by, previousVersion };
    const deployed = await this.store.tenant(workflows, workspaceId).updateOne(
      { ...aliveIn(ctx.params), version: current.version, deploymentCount: current.deploymentCount ?? null },
      {
        $set: {
          ...{ deployedAt: now, deployedVersion: version, updatedAt: now, ...$set },
          ...{ deploymentCount: deploymentCount + 1, deployment: made },
        },
        ...($unset && { $unset }),
      },
    );
    if (!deployed) continue;
    await record(this.store, deployed);
    const { name, description } = content;
    await offerTool(this.store, { ...deployed, version, name, description, definition });
    await syncTool(this.store, ctx.params);
    return { ...presentWorkflow(deployed), ...(await warningsOf(this.store, deployed)) };
  }
  throw new AppError("conflict");
});

export const listDeployments = handle<"workflows.deployments", WithStore>(
  "workflows.deployments",
  async function (ctx) {
    const { workspaceId, id: workflowId, limit, cursor = null } = ctx.params;
    const workflow = await findWorkflow(this.store, ctx.params);
    const all = this.store.tenant(deployments, workspaceId);
    const read = () => all.find({ workflowId }, { sort: { order: -1 }, limit, after: cursor });
    let page = await read();
    if (cursor === null && page.items[0]?.order !== workflow.deploymentCount) {
      await record(this.store, workflow);
      page = await read();
    }
    const names = await namesOf(ctx, workspaceId, { users: page.items.map(({ deployedBy }) => deployedBy) });
    const items = page.items.map(doc => {
      const deployedByName = names.user(doc.deployedBy);
      return { ...presentDeployment(doc), ...(deployedByName && { deployedByName }) };
    });
    return { items, next: page.next };
  },
);
