import { memoryActions } from "../../../../contracts/actions/memory.ts";
import { ADDS, tool } from "../tool.ts";

export const ingestMemory = tool({
  name: "ingest_memory",
  title: "Remember what a text says",
  description:
    "Finds the facts of a text, such as a conversation, and remembers them. What contradicts an older memory supersedes it.",
  action: "memory.ingest",
  input: memoryActions["memory.ingest"].input.omit({ workspaceId: true }),
  output: memoryActions["memory.ingest"].output,
  annotations: ADDS,
  run: async (args, session) => ({ structured: await session.act("memory.ingest", args) }),
});
