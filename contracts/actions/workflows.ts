import { z } from "zod";
import { action, inSpace, inWorkspace } from "../define-action.ts";
import { archived, takenOver } from "../entities/archive.ts";
import { usesOfCredentials } from "../entities/credential.ts";
import { found } from "../entities/found.ts";
import { toolUse, toolUser } from "../entities/mcp-server.ts";
import { nodeTypes } from "../entities/node-type.ts";
import { template } from "../entities/template.ts";
import { importedWorkflow, importWarning, workflowDocument } from "../entities/workflow-document.ts";
import { workflowDiff } from "../entities/workflow-diff.ts";
import {
  changeMessage,
  definition,
  deployment,
  validation,
  versionNumber,
  workflow,
  workflowCaller,
  workflowListing,
  workflowVersion,
} from "../entities/workflow.ts";
import { toolName, workflowSummary, workflowTool } from "../entities/workflow-tool.ts";
import { description, id, ifMatch, json, MAX_PAGE, name, newSlug, nothing, page, pageInput } from "../primitives.ts";
import { fields, listAllInput, listInput } from "./workflow-lists.ts";

const document = json.meta({
  description: "A workflow document from the export route, or a workflow exported from n8n.",
});

export const workflowsActions = {
  "workflows.create": inSpace(
    "editor",
    { name, slug: newSlug, description: description.default(""), definition: definition.default(null) },
    workflow,
  ),
  "workflows.list": inSpace("viewer", listInput, page(workflow)),
  /**
   * The workflows of all spaces, or of one, without their definitions. With `q`, one page examines a few hundred
   * workflows, so it may contain few or no workflows although a next page exists.
   */
  "workflows.listAll": inWorkspace("viewer", listAllInput, page(workflowListing)),
  /** The most recently changed workflows, and their steps, whose names contain all words of `q`. */
  "workflows.find": action(
    "internal",
    { workspaceId: id, q: z.string().min(1).max(200), limit: z.int().min(1).max(50) },
    z.object({ items: z.array(found) }),
    { reads: true },
  ),
  "workflows.get": inSpace("viewer", { id }, workflow),
  "workflows.update": inSpace(
    "editor",
    {
      id,
      name: name.optional(),
      description: description.optional(),
      definition: definition.optional(),
      message: changeMessage
        .optional()
        .meta({ description: "A message about the change. It is stored with the version." }),
      ifMatch,
    },
    workflow,
  ),
  "workflows.remove": inSpace("editor", { id }, nothing),
  /** Errors: not_found, conflict, invalid_definition when the definition has faults and `force` is not set. */
  "workflows.deploy": inSpace(
    "admin",
    {
      id,
      version: versionNumber.optional().meta({ description: "The version to deploy. Default: the newest." }),
      message: changeMessage
        .optional()
        .meta({ description: "The reason for the deployment. The list of deployments shows it." }),
      force: z
        .boolean()
        .default(false)
        .meta({ description: "Deploy even if validation finds errors. A faulty step then fails when it runs." }),
    },
    workflow,
  ),
  "workflows.star": inSpace("editor", { id, starred: z.boolean() }, workflow),
  "workflows.trash": inSpace("editor", { id, ifMatch }, workflow),
  "workflows.restore": inSpace("editor", { id }, workflow),
  "workflows.versions": inSpace("viewer", { id, fields, ...pageInput }, page(workflowVersion)),
  "workflows.version": inSpace("viewer", { id, version: versionNumber }, workflowVersion),
  "workflows.diff": inSpace("viewer", { id, from: versionNumber, to: versionNumber }, workflowDiff),
  "workflows.restoreVersion": inSpace(
    "editor",
    { id, version: versionNumber, message: changeMessage.optional(), ifMatch },
    workflow,
  ),
  /** Newest first. */
  "workflows.deployments": inSpace("viewer", { id, ...pageInput }, page(deployment)),
  "workflows.callers": inSpace("viewer", { id, ...pageInput }, page(workflowCaller)),
  "workflows.validate": inSpace("viewer", { id }, validation),
  /** Errors: not_found, also when the target space is not in this workspace. */
  "workflows.duplicate": inWorkspace(
    "editor",
    {
      fromSpaceId: id,
      id,
      name: name.optional(),
      spaceId: id.optional().meta({ description: "The space of the copy. Default: the space of the workflow." }),
    },
    workflow,
  ),
  "workflows.export": inSpace("viewer", { id }, workflowDocument),
  /** Errors: validation_failed for an unknown file format, payload_too_large. */
  "workflows.import": inSpace("editor", { document }, importedWorkflow),
  /** Reports what importing this file would do. Errors: validation_failed for an unknown file format. */
  "workflows.check": inSpace(
    "viewer",
    { document },
    z
      .object({
        ...validation.shape,
        warnings: z.array(importWarning),
        definition: json.optional().meta({
          description: "The converted definition, if the file has to be converted. Absent for a Weft export.",
        }),
      })
      .meta({ id: "DocumentCheck" }),
  ),
  /** The node types, and the schemas of the other parts of a definition. */
  "workflows.nodeTypes": action("user", {}, nodeTypes, { apiKeys: true }),
  "workflows.templates": action(
    "public",
    {
      search: z.string().max(200).optional().meta({ description: "A part of the name. Case is ignored." }),
      q: z.string().max(200).optional().meta({ description: "Same as `search`." }),
      category: z.string().max(50).optional(),
      tags: z
        .string()
        .max(500)
        .optional()
        .meta({ description: "Tags separated by commas. A template must have all of them." }),
      ...pageInput,
    },
    page(template),
  ),
  /** The active workflows of all spaces, or of one, newest first. */
  "workflows.catalog": inWorkspace("viewer", { spaceId: id.optional(), ...pageInput }, page(workflowSummary)),
  /** The deployed workflows that are offered as tools, by name, or only the one with this name. */
  "workflows.tools": inWorkspace("viewer", { name: toolName.optional(), ...pageInput }, page(workflowTool)),
  "workflows.fromTemplate": inSpace("editor", { templateId: id, name: name.optional() }, workflow),
  /**
   * The version that a run of this workflow uses: the given one, or else the newest. `deployed` means the newest
   * version if none is deployed. Errors: not_found, workflow_trashed.
   */
  "workflows.runnable": action(
    "internal",
    {
      workspaceId: id,
      /** Without a space, the workflow may be in any space of the workspace. */
      spaceId: id.optional(),
      workflowId: id,
      version: z.union([versionNumber, z.literal("deployed")]).optional(),
    },
    z.object({ version: versionNumber, spaceId: id }),
    { reads: true },
  ),
  /** The number of workflows in the workspace. */
  "workflows.count": action(
    "internal",
    { workspaceId: id },
    z.object({ active: z.int().min(0), trashed: z.int().min(0) }),
    { reads: true },
  ),
  /** The names of the existing workflows among these, in no particular order. */
  "workflows.names": action(
    "internal",
    { workspaceId: id, ids: z.array(id).max(MAX_PAGE) },
    z.array(z.object({ id, name: z.string() })),
    { reads: true },
  ),
  /** The ids of the existing workflows among these, in any space. */
  "workflows.existing": action(
    "internal",
    { workspaceId: id, ids: z.array(id).max(1_000) },
    z.object({ existing: z.array(id) }),
    { reads: true },
  ),
  /** Which of these workflows exist, and which of them are in the trash. */
  "workflows.states": action(
    "internal",
    { workspaceId: id, spaceId: id, ids: z.array(id).max(MAX_PAGE) },
    z.object({ active: z.array(id), trashed: z.array(id) }),
    { reads: true },
  ),
  /** A snapshot never changes, so callers may cache it. */
  "workflows.snapshot": action(
    "internal",
    { workspaceId: id, workflowId: id, version: versionNumber },
    workflowVersion.nullable(),
    { reads: true },
  ),
  /** The deployed workflows, among the first of the workspace, whose deployed versions use these tools. */
  "workflows.usingTools": action(
    "internal",
    { workspaceId: id, toolIds: z.array(id).max(MAX_PAGE) },
    z.object({ uses: z.array(toolUse.extend({ toolId: id })) }),
    { reads: true },
  ),
  /**
   * The workflows that use tools, or this tool, newest first. A page may contain few or none of them although a next
   * page exists. The ids of the tools are those in the definitions.
   */
  "workflows.toolUsers": action(
    "internal",
    { workspaceId: id, toolId: id.optional(), ...pageInput },
    page(
      toolUser.omit({ tools: true, deployed: true }).extend({
        tools: z.array(z.object({ toolId: z.string(), deployed: z.boolean(), nodeIds: z.array(z.string()) })),
      }),
    ),
    { reads: true },
  ),
  /** The workflows that use these credentials. Keys have the form that `credentialUses` returns. */
  "workflows.usingCredentials": action(
    "internal",
    { workspaceId: id, keys: z.array(z.string().max(300)).max(2 * MAX_PAGE) },
    usesOfCredentials,
    { reads: true },
  ),
  /** Imports a record of an archive. Its ids are already those of this workspace. */
  "workflows.takeOver": action(
    "internal",
    {
      workspaceId: id,
      userId: id,
      record: z.discriminatedUnion("kind", [archived.workflowVersion, archived.workflow]),
    },
    takenOver,
  ),
  "workflows.purge": action("internal", { workspaceId: id, spaceId: id.optional() }, nothing),
};
