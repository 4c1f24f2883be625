import { z } from "zod";
import { action, inSpace } from "../define-action.ts";
import { validation, versionNumber, workflow, workflowVersion } from "../entities/workflow.ts";
import { description, id, json, name, nothing, page, pageInput } from "../primitives.ts";

export const workflowsActions = {
  "workflows.create": inSpace(
    "editor",
    { name, description: description.default(""), definition: json.default(null) },
    workflow,
  ),
  "workflows.list": inSpace(
    "viewer",
    { trashed: z.boolean().default(false), starred: z.boolean().optional(), ...pageInput },
    page(workflow),
  ),
  "workflows.get": inSpace("viewer", { id }, workflow),
  "workflows.update": inSpace(
    "editor",
    {
      id,
      name: name.optional(),
      description: description.optional(),
      definition: json.optional(),
      ifMatch: z.string().max(200).optional(),
    },
    workflow,
  ),
  "workflows.remove": inSpace("editor", { id }, nothing),
  "workflows.deploy": inSpace("admin", { id }, workflow),
  "workflows.star": inSpace("editor", { id, starred: z.boolean() }, workflow),
  "workflows.trash": inSpace("editor", { id }, workflow),
  "workflows.restore": inSpace("editor", { id }, workflow),
  "workflows.versions": inSpace("viewer", { id, ...pageInput }, page(workflowVersion)),
  "workflows.version": inSpace("viewer", { id, version: versionNumber }, workflowVersion),
  "workflows.validate": inSpace("viewer", { id }, validation),
  /**
   * Which version a run of this workflow takes: the named one, else the newest; `deployed` is the newest too where none is.
   * Errors: not_found, workflow_trashed.
   */
  "workflows.runnable": action(
    "internal",
    {
      workspaceId: id,
      spaceId: id,
      workflowId: id,
      version: z.union([versionNumber, z.literal("deployed")]).optional(),
    },
    z.object({ version: versionNumber }),
  ),
  /** A snapshot never changes, so callers may keep it. */
  "workflows.snapshot": action(
    "internal",
    { workspaceId: id, workflowId: id, version: versionNumber },
    workflowVersion.nullable(),
  ),
  "workflows.purge": action("internal", { workspaceId: id, spaceId: id.optional() }, nothing),
};
