import { knowledgeActions } from "../../../../contracts/actions/knowledge.ts";
import { READS, tool } from "../tool.ts";

const { input, output } = knowledgeActions["knowledge.list"];

export const listKnowledgeBases = tool({
  name: "list_knowledge_bases",
  title: "List knowledge bases",
  description: "Lists the knowledge bases, newest first. `next` is the cursor of the next page, null on the last one.",
  action: "knowledge.list",
  input: input.omit({ workspaceId: true }),
  output,
  annotations: READS,
  run: async (args, session) => ({ structured: await session.act("knowledge.list", args) }),
});
