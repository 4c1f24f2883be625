import { setTimeout as sleep } from "node:timers/promises";
import { handle } from "../../contracts/call.ts";
import { config } from "../../config.ts";
import type { MemoryService } from "./service.ts";

/** Shorter than the caller's time limit. A server that does not answer by then counts as down. */
const PING_MS = 1_500;

export const searchState = handle<"memory.searchState", MemoryService>("memory.searchState", async function () {
  // An embedded index is available whenever the store is.
  if (config().QDRANT_URL === undefined) return { state: "embedded" };
  const answered = this.search.ping().catch(() => "down" as const);
  const state = await Promise.race([answered, sleep(PING_MS, "down" as const, { ref: false })]);
  return { state };
});
