import { z } from "zod";
import { action, inSpace, inWorkspace } from "../define-action.ts";
import { variableName, variables } from "../entities/variables.ts";
import { id, ifMatch, json, nothing } from "../primitives.ts";

/** The maximum size of the variables of a workspace, and of those of a space, as JSON. */
export const MAX_VARIABLES_BYTES = 65_536;

const change = {
  set: z.record(variableName, json).default({}).meta({ description: "Variables to create or to replace." }),
  remove: z.array(variableName).max(1_000).default([]).meta({ description: "Variables to remove." }),
  ifMatch,
};

export const variablesActions = {
  "variables.get": inWorkspace("viewer", {}, variables),
  /** Errors: payload_too_large, conflict. */
  "variables.update": inWorkspace("editor", change, variables),
  "variables.ofSpace.get": inSpace("viewer", {}, variables),
  "variables.ofSpace.update": inSpace("editor", change, variables),
  /** The value of `vars` in the expressions of a space. */
  "variables.read": action(
    "internal",
    { workspaceId: id, spaceId: id },
    z.object({ values: z.record(z.string(), json) }),
    { reads: true },
  ),
  "variables.purge": action("internal", { workspaceId: id, spaceId: id.optional() }, nothing),
};
