import type { Mark } from "../canvas/drawn.ts";

/** One difference between two versions, for the list and the canvas. */
export interface Difference {
  /** The step. Undefined if the difference concerns a note or the whole workflow. */
  id: string | undefined;
  note?: string;
  mark: Mark | "moved";
  title: string;
  /** The fields that differ, such as `data.url`, with both values. */
  fields: { name: string; from: unknown; to: unknown }[];
}
