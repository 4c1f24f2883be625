export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Steps have sizes that are known before anything is drawn. */
export const STEP = { width: 224, height: 56 };
/** Room around the steps of a container, and its header. */
export const PAD = 20;
export const HEADER = 52;
export const EMPTY = { width: 224, height: 96 };
/** Steps and what is moved lie on this grid. */
export const GRID = 8;
const HANDLE_ROW = 22;

/**
 * The height of a step is known before it is drawn: it depends on its ways out alone. It grows by two rows of the grid, so
 * that the middles of all steps can be in one line.
 */
export const heightFor = (handles: number): number =>
  STEP.height + Math.max(0, Math.ceil((handles * HANDLE_ROW + 12 - STEP.height) / (2 * GRID))) * 2 * GRID;

/** How large the frame of a container is around these steps. */
export const frameAround = (boxes: readonly Box[]): { width: number; height: number } => ({
  width: Math.max(EMPTY.width, ...boxes.map(({ x, width }) => x + width + PAD)),
  height: Math.max(EMPTY.height, ...boxes.map(({ y, height }) => y + height + PAD)),
});
