import { z } from "zod";
import { action, inSpace, inWorkspace } from "../define-action.ts";
import { cronExpr, schedule } from "../entities/schedule.ts";
import { id, json, nothing, page, pageInput } from "../primitives.ts";

export const schedulesActions = {
  "schedules.create": inSpace(
    "editor",
    { workflowId: id, cronExpr, input: json.default(null), enabled: z.boolean().default(true) },
    schedule,
  ),
  "schedules.list": inSpace("viewer", { workflowId: id.optional(), ...pageInput }, page(schedule)),
  /** The schedules of all spaces, or of one, or of one workflow, newest first. */
  "schedules.listAll": inWorkspace(
    "viewer",
    { spaceId: id.optional(), workflowId: id.optional(), ...pageInput },
    page(schedule),
  ),
  "schedules.update": inSpace(
    "editor",
    { id, cronExpr: cronExpr.optional(), input: json.optional(), enabled: z.boolean().optional() },
    schedule,
  ),
  "schedules.remove": inSpace("editor", { id }, nothing),
  /** Removes the data of a deleted workspace, or of one of its spaces or workflows. */
  "schedules.purge": action(
    "internal",
    { workspaceId: id, spaceId: id.optional(), workflowId: id.optional() },
    nothing,
  ),
};
