import type { DraftNote } from "../data/workflow-types.ts";
import { type Draft, sameSide } from "./draft.ts";

/** A draft as the service has it. */
export interface DraftThere extends Draft {
  revision: string;
}

export interface Chosen {
  draft: Draft;
  /** Whether it comes from this browser. */
  here: boolean;
  /** The draft of another device, when each of the two has what the other one lacks. */
  other: Draft | undefined;
}

/**
 * The draft that a person goes on with; undefined without any. Times are compared with those of this browser alone,
 * because clocks differ.
 */
export function chooseDraft(
  here: Draft | undefined,
  there: DraftThere | undefined,
  note: DraftNote | undefined,
): Chosen | undefined {
  if (!there) return here && { draft: here, here: true, other: undefined };
  const isOwn = note?.revision === there.revision;
  // A draft of this browser that was saved or discarded while the service could not be told.
  if (!here && isOwn) return undefined;
  const isSent = here !== undefined && note !== undefined && here.at <= note.at;
  // Another device has gone on with what this browser sent.
  if (!here || (isSent && !isOwn)) return { draft: there, here: false, other: undefined };
  return { draft: here, here: true, other: isOwn || sameSide(here, there) ? undefined : there };
}
