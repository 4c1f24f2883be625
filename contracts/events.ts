import { z } from "zod";
import { id } from "./primitives.ts";

/** Hints between services. A hint can be lost: whatever it would have started, a sweep starts too. */
export const EVENTS = {
  /** An execution waits to be claimed. */
  "execution.queued": z.object({ executionId: id }),
  /** An execution was cancelled; whoever runs it aborts its steps. */
  "execution.cancelled": z.object({ executionId: id }),
  /** Somebody follows this execution for the next seconds and wants to hear of its entries. */
  "execution.watched": z.object({ executionId: id, forMs: z.int() }),
  /** A followed execution has entries up to this seq. */
  "execution.appended": z.object({ executionId: id, seq: z.int() }),
} as const;

export type EventName = keyof typeof EVENTS;
export type EventOf<N extends EventName> = z.infer<(typeof EVENTS)[N]>;
