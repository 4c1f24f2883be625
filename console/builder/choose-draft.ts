import type { DraftNote } from "../data/workflow-types.ts";
import { type Draft, isSameContent } from "./draft.ts";

/** A draft on the service. */
export interface ServiceDraft extends Draft {
  revision: string;
}

export interface ChosenDraft {
  draft: Draft;
  /** Whether the draft comes from this browser. */
  here: boolean;
  /** The draft of another device, if each of the two has changes that the other one lacks. */
  other: Draft | undefined;
}

/**
 * Chooses the draft with which the user continues. Undefined if there is none. It compares only times of this browser,
 * because the clocks of devices differ.
 */
export function chooseDraft(
  here: Draft | undefined,
  there: ServiceDraft | undefined,
  note: DraftNote | undefined,
): ChosenDraft | undefined {
  if (!there) return here && { draft: here, here: true, other: undefined };
  const isOwn = note?.revision === there.revision;
  // This browser saved or discarded the draft, but could not tell the service.
  if (!here && isOwn) return undefined;
  const isSent = here !== undefined && note !== undefined && here.at <= note.at;
  // Another device continued with the draft that this browser sent.
  if (!here || (isSent && !isOwn)) return { draft: there, here: false, other: undefined };
  return { draft: here, here: true, other: isOwn || isSameContent(here, there) ? undefined : there };
}
