import { workflowsActions } from "../../../../contracts/actions/workflows.ts";
import { READS, tool } from "../tool.ts";

const { input, output } = workflowsActions["workflows.catalog"];

export const listWorkflows = tool({
  name: "list_workflows",
  title: "List workflows",
  description:
    "Lists the workflows of all spaces, or of one, newest first, with the JSON Schema of their input where they state one. " +
    "`next` is the cursor of the next page, null on the last one.",
  action: "workflows.catalog",
  input: input.omit({ workspaceId: true }),
  output,
  annotations: READS,
  run: async (args, session) => ({ structured: await session.act("workflows.catalog", args) }),
});
