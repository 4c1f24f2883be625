import { memoryActions } from "../../../../contracts/actions/memory.ts";
import { ADDS, tool } from "../tool.ts";

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
