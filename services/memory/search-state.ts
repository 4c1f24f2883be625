import { setTimeout as sleep } from "node:timers/promises";
import { handle } from "../../contracts/call.ts";
import { config } from "../../config.ts";
import type { MemoryService } from "./service.ts";

/** Below what whoever asks waits: a server that is silent is away. */
const PING_MS = 1_500;

export const searchState = handle<"memory.searchState", MemoryService>("memory.searchState", async function () {
  // An index beside the documents goes with the store.
  if (config().QDRANT_URL === undefined) return { state: "embedded" };
  const answered = this.search.ping().catch(() => "down" as const);
  const state = await Promise.race([answered, sleep(PING_MS, "down" as const, { ref: false })]);
  return { state };
});
