import { z } from "zod";
import type { Faults } from "./faults.ts";

const MAX_NOTES = 500;
export const MAX_NOTE_CHARS = 10_000;
const MAX_PLACE = 10_000_000;
const MAX_SIZE = 100_000;

const place = z.number().min(-MAX_PLACE).max(MAX_PLACE);
const size = z.number().min(1).max(MAX_SIZE);

/** A text on the canvas, in Markdown. Runs ignore it. Builders may store further fields. */
export const note = z.looseObject({
  id: z.string().min(1).max(200).optional(),
  text: z.string().max(MAX_NOTE_CHARS).optional(),
  x: place.optional(),
  y: place.optional(),
  width: size.optional(),
  height: size.optional(),
  colour: z.string().max(50).optional(),
  steps: z.array(z.string().max(200)).max(500).optional(),
  front: z.boolean().optional(),
});

/** The `notes` of a definition. */
export const notes = z.array(z.unknown()).max(MAX_NOTES).pipe(z.array(note));

/** Reports notes that are too many, too long, or outside the area that a canvas can show. */
export function checkNotes(given: unknown, faults: Faults): void {
  if (given === undefined || given === null) return;
  const checked = notes.safeParse(given);
  if (!checked.success) faults.issues(null, ["notes"], checked.error.issues);
}
