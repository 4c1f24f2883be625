import { z } from "zod";
import { action, inSpace, inWorkspace } from "../define-action.ts";
import { itemOfPath } from "./executions.ts";
import { answeredQuestion } from "../entities/answered-question.ts";
import { execution } from "../entities/execution.ts";
import { openQuestion } from "../entities/open-question.ts";
import { executionStep, stepOutput, stepStatus } from "../entities/execution-step.ts";
import { executionMatches, runComparison } from "../entities/run-comparison.ts";
import { count, id, moment, page, pageInput, several } from "../primitives.ts";

const nodeId = z.string().min(1).max(200);
const MAX_DEPTH = 10;

/** A place in a run: an item of a map. If the last part has no index, all items of that map. */
const place = z
  .array(z.strictObject({ nodeId, index: count(0).optional() }))
  .max(MAX_DEPTH)
  .refine(
    parts => parts.slice(0, -1).every(({ index }) => index !== undefined),
    "Only the last part may lack an index",
  );

/** Actions for pages about one run. */
export const executionViewActions = {
  /**
   * The steps of one level of a run in their possible order of execution, including those that have not begun. Or the
   * items of a map, by index.
   */
  "executions.steps": inSpace(
    "viewer",
    {
      id,
      under: place.default([]).meta({
        description:
          'The level: absent for the run itself, `[{"nodeId":"each","index":17}]` for the steps of one item of a map, `[{"nodeId":"each"}]` for the items of a map.',
      }),
      status: several(stepStatus).optional(),
      ...pageInput,
    },
    page(executionStep),
  ),
  /** Like `executions.get`, for callers who do not know the space. */
  "executions.find": inWorkspace("viewer", { id }, execution),
  /**
   * Questions, those of the newest executions first. `limit` counts executions, and one execution may have several
   * questions.
   */
  "executions.questions": inWorkspace(
    "viewer",
    {
      spaceId: id.optional(),
      workflowId: id.optional(),
      mine: z.boolean().optional().meta({
        description: "`true`: only questions that name the caller; `false`: only those without an assignee.",
      }),
      ...pageInput,
    },
    page(openQuestion),
  ),
  /** The answers of people, newest first. They are kept as long as their executions. */
  "executions.answers": inWorkspace(
    "viewer",
    {
      spaceId: id.optional(),
      workflowId: id.optional(),
      answeredBy: id.optional().meta({ description: "Only answers of this user." }),
      approved: z.boolean().optional(),
      from: moment.optional().meta({ description: "Only answers given at or after this time." }),
      to: moment.optional().meta({ description: "Only answers given before this time." }),
      ...pageInput,
    },
    page(answeredQuestion),
  ),
  /** The number of open questions of a workspace, up to a few hundred. */
  "executions.countQuestions": action("internal", { workspaceId: id }, z.object({ open: count(0) }), { reads: true }),
  /** Errors: not_found for a step that has not begun. */
  "executions.output": inSpace(
    "viewer",
    {
      id,
      nodeId,
      path: z
        .array(itemOfPath)
        .max(MAX_DEPTH)
        .optional()
        .meta({ description: "The map items that the step belongs to, as in the list of steps." }),
    },
    stepOutput,
  ),
  /** Searches the run's input, and the outputs and errors of its steps, for a few seconds at most. */
  "executions.search": inSpace(
    "viewer",
    { id, q: z.string().min(1).max(200).meta({ description: "The text to find. Case is ignored." }) },
    executionMatches,
  ),
  /** Errors: not_found. */
  "executions.compare": inSpace(
    "viewer",
    { id, other: id.meta({ description: "The second run. It may be in another space of the workspace." }) },
    runComparison,
  ),
  /** The number of unfinished runs that count for the quota, or null when the workspace has no such quota. */
  "executions.countUnfinished": action("internal", { workspaceId: id }, z.object({ executions: z.int().nullable() }), {
    reads: true,
  }),
  "executions.existing": action(
    "internal",
    { workspaceId: id, ids: z.array(id).max(1_000) },
    z.object({ existing: z.array(id) }),
    { reads: true },
  ),
};
