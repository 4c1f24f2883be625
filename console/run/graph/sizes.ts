export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Steps have a fixed size, so that it is known before anything is drawn. */
export const STEP = { width: 224, height: 56 };
/** The padding around the steps of a container. The header is above it. */
export const PAD = 20;
export const HEADER = 52;
export const EMPTY = { width: 224, height: 96 };
/** Steps snap to this grid. */
export const GRID = 8;
const HANDLE_ROW = 22;

/**
 * The height of a step, which depends only on its number of handles. It grows by two grid rows at a time, so that the
 * middles of all steps can be aligned.
 */
export const heightFor = (handles: number): number =>
  STEP.height + Math.max(0, Math.ceil((handles * HANDLE_ROW + 12 - STEP.height) / (2 * GRID))) * 2 * GRID;

/** The size of a container around these steps. */
export const frameAround = (boxes: readonly Box[]): { width: number; height: number } => ({
  width: Math.max(EMPTY.width, ...boxes.map(({ x, width }) => x + width + PAD)),
  height: Math.max(EMPTY.height, ...boxes.map(({ y, height }) => y + height + PAD)),
});
