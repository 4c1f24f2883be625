import { type Box, frameAround, GRID, HEADER, heightFor, PAD, STEP } from "../../run/graph/sizes.ts";
import {
  type DocumentState,
  isStray,
  parentOf,
  type Places,
  type Point,
  positionOf,
  type RawNode,
} from "../document/index.ts";

export { GRID, HEADER, heightFor, PAD, STEP };
export type { Box };

/** The space between two steps. */
export const GAP = { x: 72, y: 40 };

export interface Boxes {
  /** Relative to the container, as in the definition. */
  own: ReadonlyMap<string, Box>;
  /** Relative to the canvas. */
  absolute: ReadonlyMap<string, Box>;
}

export interface Layout {
  /** Places for steps without one in the definition. */
  places: Places | undefined;
  /** Places of steps that are being dragged. */
  dragged: Places | undefined;
  heightOf: (id: string, node: RawNode) => number;
  isContainer: (id: string) => boolean;
  collapsed: ReadonlySet<string>;
}

/** The place and size of every node. A container is as large as its content needs. */
export function boxesOf(state: DocumentState, layout: Layout): Boxes {
  const { places, dragged, heightOf, isContainer, collapsed } = layout;
  const children = new Map<string | undefined, string[]>();
  const ids = [...state.nodes.keys()].filter(id => !isStray(id));
  for (const id of ids) {
    const parent = parentOf(state.nodes.get(id));
    const known = parent !== undefined && parent !== id && state.nodes.has(parent) ? parent : undefined;
    const list = children.get(known);
    if (list) list.push(id);
    else children.set(known, [id]);
  }
  const own = new Map<string, Box>();
  const placeOf = (id: string): Point =>
    dragged?.get(id) ?? places?.get(id) ?? positionOf(state.nodes.get(id)) ?? { x: 0, y: 0 };
  const measure = (id: string): Box => {
    const at = placeOf(id);
    const inside = children.get(id) ?? [];
    const boxes = inside.map(measure);
    const frame = (isContainer(id) || inside.length > 0) && !collapsed.has(id);
    const box = frame
      ? { ...at, ...frameAround(boxes) }
      : { ...at, width: STEP.width, height: heightOf(id, state.nodes.get(id)!) };
    own.set(id, box);
    return box;
  };
  const absolute = new Map<string, Box>();
  const settle = (id: string, x: number, y: number) => {
    const box = own.get(id)!;
    const at = { ...box, x: box.x + x, y: box.y + y };
    absolute.set(id, at);
    for (const child of children.get(id) ?? []) settle(child, at.x, at.y);
  };
  for (const id of children.get(undefined) ?? []) {
    measure(id);
    settle(id, 0, 0);
  }
  return { own, absolute };
}

const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.width + GRID &&
  b.x < a.x + a.width + GRID &&
  a.y < b.y + b.height + GRID &&
  b.y < a.y + a.height + GRID;

export const onGrid = ({ x, y }: Point): Point => ({ x: Math.round(x / GRID) * GRID, y: Math.round(y / GRID) * GRID });

/** The nearest free place below the wanted one, among the nodes of a container. */
export function freePlace(state: DocumentState, { own }: Boxes, parent: string | undefined, wish: Point): Point {
  const others = [...own].filter(([id]) => parentOf(state.nodes.get(id)) === parent).map(([, box]) => box);
  let at = onGrid(parent === undefined ? wish : { x: Math.max(wish.x, PAD), y: Math.max(wish.y, HEADER) });
  for (let tries = 0; tries <= others.length; tries++) {
    const hit = others.find(box => overlaps({ ...at, ...STEP }, box));
    if (!hit) break;
    at = onGrid({ x: at.x, y: hit.y + hit.height + GAP.y });
  }
  return at;
}

/** The place for a step behind another one, next to the handle that leads to it. */
export function placeAfter(
  state: DocumentState,
  boxes: Boxes,
  id: string,
  handle: { index: number; of: number },
): Point {
  const box = boxes.own.get(id) ?? { x: 0, y: 0, ...STEP };
  const down = (handle.index - (handle.of - 1) / 2) * (STEP.height + GAP.y);
  const wish = { x: box.x + box.width + GAP.x, y: box.y + box.height / 2 - STEP.height / 2 + down };
  return freePlace(state, boxes, parentOf(state.nodes.get(id)), wish);
}

/** Converts places on the canvas to places inside a container. */
export const inside = (boxes: Boxes, parent: string | undefined, at: Point): Point => {
  const box = parent === undefined ? undefined : boxes.absolute.get(parent);
  return box ? { x: at.x - box.x, y: at.y - box.y } : at;
};

const sameBoxes = (a: ReadonlyMap<string, Box>, b: ReadonlyMap<string, Box>) => {
  if (a.size !== b.size) return false;
  for (const [id, box] of a) {
    const other = b.get(id);
    if (!other || box.x !== other.x || box.y !== other.y) return false;
    if (box.width !== other.width || box.height !== other.height) return false;
  }
  return true;
};

/** Whether two layouts have the same places and sizes. */
export const isSameLayout = (a: Boxes, b: Boxes): boolean =>
  sameBoxes(a.own, b.own) && sameBoxes(a.absolute, b.absolute);
