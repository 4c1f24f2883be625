import type { Point } from "../document/index.ts";

/** The id of the step at a point of the window. */
export const stepAt = ({ x, y }: Point): string | undefined =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>(".react-flow__node")?.dataset.id;
