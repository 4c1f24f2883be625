import type { CreatedEntry } from "../../../core/run/entry.ts";

/** Why a run left this worker: it ended, it waits in the store, an append failed, or it was never stored at all. */
export type Leave = "ended" | "parked" | "lost" | "unborn";

/**
 * What an execution brings along that starts on this worker without a claim. Its document and entry 0 are stored
 * together with its first entries.
 */
export interface Opening {
  created: CreatedEntry;
  stored: () => void;
  failed: (error: unknown) => void;
}
