import { handle } from "../../contracts/call.ts";
import { config } from "../../config.ts";
import type { MemoryService } from "./service.ts";

export const searchState = handle<"memory.searchState", MemoryService>("memory.searchState", async function () {
  // An index beside the documents goes with the store.
  if (config().QDRANT_URL === undefined) return { state: "embedded" };
  const state = await this.search.ping().then(
    () => "ok" as const,
    () => "down" as const,
  );
  return { state };
});
