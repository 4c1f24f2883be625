import type { DiffMark } from "../canvas/drawn.ts";

/** One difference between two versions, for the list and the canvas. */
export interface Difference {
  /** The step. Undefined if the difference concerns a note or the whole workflow. */
  id: string | undefined;
  note?: string;
  mark: DiffMark | "moved";
  title: string;
  /** The fields that differ, such as `data.url`, with both values. */
  fields: { name: string; from: unknown; to: unknown }[];
}
