import { z } from "zod";
import { action, inSpace, inWorkspace } from "../define-action.ts";
import { archived, takenOver } from "../entities/archive.ts";
import { execution } from "../entities/execution.ts";
import { usedByName } from "../entities/limits-used.ts";
import { cronExpr, schedule, timezone } from "../entities/schedule.ts";
import { id, ifMatch, json, newSlug, nothing, page, pageInput, timestamp } from "../primitives.ts";

export const schedulesActions = {
  "schedules.create": inSpace(
    "editor",
    {
      workflowId: id,
      slug: newSlug.meta({ description: "Default: made from the workflow's name." }),
      cronExpr,
      timezone: timezone.default("UTC"),
      input: json.default(null),
      enabled: z.boolean().default(true),
    },
    schedule,
  ),
  "schedules.read": inSpace("viewer", { id }, schedule),
  /** The next due times of an expression, which need not belong to a schedule. */
  "schedules.preview": inSpace(
    "viewer",
    { cronExpr, timezone: timezone.default("UTC"), count: z.int().min(1).max(100).default(5) },
    z.object({ times: z.array(timestamp) }),
  ),
  /** Starts a run at once, with the input of the schedule. The next due time does not change. */
  "schedules.run": inSpace("editor", { id }, execution),
  "schedules.list": inSpace("viewer", { workflowId: id.optional(), ...pageInput }, page(schedule)),
  /** The schedules of all spaces, or of one, or of one workflow, newest first. */
  "schedules.listAll": inWorkspace(
    "viewer",
    { spaceId: id.optional(), workflowId: id.optional(), ...pageInput },
    page(schedule),
  ),
  "schedules.update": inSpace(
    "editor",
    {
      id,
      cronExpr: cronExpr.optional(),
      timezone: timezone.optional(),
      input: json.optional(),
      enabled: z.boolean().optional(),
      ifMatch,
    },
    schedule,
  ),
  "schedules.remove": inSpace("editor", { id, ifMatch }, nothing),
  /** How much of this service's limits the workspace uses, by name. */
  "schedules.usage": action("internal", { workspaceId: id }, usedByName, { reads: true }),
  /** Imports a record of an archive. Its ids are already those of this workspace. */
  "schedules.takeOver": action("internal", { workspaceId: id, userId: id, record: archived.schedule }, takenOver),
  /** Removes the data of a deleted workspace, or of one of its spaces or workflows. */
  "schedules.purge": action(
    "internal",
    { workspaceId: id, spaceId: id.optional(), workflowId: id.optional() },
    nothing,
  ),
};
