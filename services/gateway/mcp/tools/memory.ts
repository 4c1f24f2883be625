import { memoryActions } from "../../../../contracts/actions/memory.ts";
import { ADDS, tool, READS } from "../tool.ts";
import { z } from "zod";

export const addMemory = tool({
  name: "add_memory",
  title: "Add a memory",
  description:
    "Stores one fact as it is given, such as a preference or an event. To have the facts of a longer text found, use ingest_memory.",
  action: "memory.create",
  input: memoryActions["memory.create"].input.omit({ workspaceId: true }),
  output: memoryActions["memory.create"].output,
  annotations: ADDS,
  run: async (args, session) => ({ structured: await session.act("memory.create", args) }),
});

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
