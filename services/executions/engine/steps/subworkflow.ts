import { v7 as uuid } from "uuid";
import { call } from "../../../../contracts/call.ts";
import { errorCode } from "../../../../contracts/errors.ts";
import { callFailed } from "./call-failure.ts";
import { formatOf } from "../../../../core/graph/format.ts";
import { failed, type Perform } from "./step.ts";

/** The maximum depth of nested executions. Beyond it, a workflow most likely calls itself. */
const MAX_DEPTH = 10;

/** Requests an execution of another workflow of the workspace. The step then waits for it. */
export const subworkflow: Perform<"subworkflow"> = async ({ workflowId, input, version }, context) => {
  const { doc, parts, policy, former } = context;
  if ((doc.depth ?? 0) >= MAX_DEPTH)
    return failed("subworkflow_too_deep", `Workflows start one another more than ${MAX_DEPTH} deep.`, false);
  const wanted = version ?? (doc.deployed ? "deployed" : undefined);
  try {
    const { workspaceId } = doc;
    const found = await call(parts.broker, "workflows.runnable", { workspaceId, workflowId, version: wanted });
    const given = input === undefined ? context.input() : input;
    const { parsed } = await parts.definitions.get(workspaceId, workflowId, found.version);
    const needs = formatOf(parsed.graph);
    const format = needs !== undefined && { needs };
    const child = {
      id: uuid(),
      workflowId,
      ...found,
      ...format,
      input: given ?? null,
      ...(former && { formerId: former }),
    };
    const until = policy.timeoutMs === undefined ? undefined : new Date(Date.now() + policy.timeoutMs).toISOString();
    return { kind: "call", child, until };
  } catch (error) {
    switch (errorCode(error)) {
      case "not_found":
        return failed("workflow_not_found", `There is no workflow ${workflowId} in this version.`, false);
      case "workflow_trashed":
        return failed("workflow_trashed", `The workflow ${workflowId} is in the trash.`, false);
      default:
        return callFailed(error, "The workflow service");
    }
  }
};
