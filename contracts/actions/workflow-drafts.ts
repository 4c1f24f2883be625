import { z } from "zod";
import { action, inSpace } from "../define-action.ts";
import { itemOfPath } from "./executions.ts";
import { workflowPresence } from "../entities/presence.ts";
import { MAX_SAMPLES, sample, workflowDraft } from "../entities/workflow-draft.ts";
import { id, ifMatch, json, nothing, page, pageInput } from "../primitives.ts";

const nodeId = z.string().min(1).max(200);
/** A request for a draft without a definition is a mistake that would lose the user's changes. */
const given = json.refine(value => value !== undefined, "is needed");
const { baseVersion, name, description } = workflowDraft.shape;

/**
 * Data that people store next to a workflow while they build it: samples of outputs, which all members see, and private
 * drafts.
 */
export const workflowDraftsActions = {
  "workflows.samples.list": inSpace(
    "viewer",
    {
      id,
      nodeId: nodeId.optional().meta({ description: "Only the sample of this step, with its value." }),
      ...pageInput,
    },
    page(sample),
  ),
  /** Sets the sample of a step. Errors: not_found, validation_failed, payload_too_large, limit_reached. */
  "workflows.samples.update": inSpace(
    "editor",
    {
      id,
      nodeId,
      value: json.optional().meta({ description: "The value. Give either `value` or `executionId`." }),
      executionId: id.optional().meta({ description: "The run whose output of the step is copied." }),
      path: z.array(itemOfPath).max(10).optional().meta({ description: "The map items of that run, outermost first." }),
    },
    sample,
  ),
  /** The ids of the existing samples among these. */
  "workflows.samples.existing": action(
    "internal",
    { workspaceId: id, ids: z.array(id).max(1_000) },
    z.object({ existing: z.array(id) }),
    { reads: true },
  ),
  "workflows.samples.remove": inSpace("editor", { id, nodeId }, nothing),
  /** The values of samples, by step. Given `nodeIds`, only those of these steps. */
  "workflows.samples.read": action(
    "internal",
    { workspaceId: id, workflowId: id, nodeIds: z.array(z.string()).max(MAX_SAMPLES).optional() },
    z.object({ values: z.record(z.string(), json) }),
    { reads: true },
  ),
  /** Who has the workflow open. */
  "workflows.presence.get": inSpace("viewer", { id }, workflowPresence),
  /** Reports that the caller has the workflow open. A report is valid for 30 seconds, and pages repeat it every 20. */
  "workflows.presence.report": inSpace(
    "viewer",
    { id, editing: z.boolean().default(false), nodeId: nodeId.nullable().optional() },
    workflowPresence,
  ),
  "workflows.presence.end": inSpace("viewer", { id }, workflowPresence),
  /** The caller's own draft, or null if there is none. Errors: not_found. */
  "workflows.drafts.get": inSpace("viewer", { id }, workflowDraft.nullable()),
  /** Stores the caller's draft. Errors: not_found, precondition_failed, payload_too_large. */
  "workflows.drafts.update": inSpace(
    "editor",
    { id, baseVersion, name, description, definition: given, ifMatch },
    workflowDraft,
  ),
  "workflows.drafts.remove": inSpace("viewer", { id }, nothing),
  /** Removes the drafts of a user who has left the workspace. */
  "workflows.drafts.purge": action("internal", { workspaceId: id, userId: id }, nothing),
};
