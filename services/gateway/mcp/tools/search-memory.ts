import { z } from "zod";
import { memoryActions } from "../../../../contracts/actions/memory.ts";
import { READS, tool } from "../tool.ts";

export const searchMemory = tool({
  name: "search_memory",
  title: "Search memory",
  description: "Finds what is remembered, by meaning and by words, the best matches first.",
  action: "memory.search",
  input: memoryActions["memory.search"].input.omit({ workspaceId: true }),
  output: z.object({ memories: memoryActions["memory.search"].output }),
  annotations: READS,
  run: async (args, session) => ({ structured: { memories: await session.act("memory.search", args) } }),
});
