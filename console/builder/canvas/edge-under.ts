import {
  compensationOf,
  containersAround,
  handleOf,
  isStray,
  isWithin,
  type Point,
  sourceOf,
  targetOf,
} from "../document/index.ts";
import { openedIn } from "../opened-container.ts";
import type { Scene } from "../scene.ts";
import type { Box } from "./geometry.ts";
import { isNote } from "./notes.ts";

/** An edge is looked at in so many places. */
const SAMPLES = 16;
/** The part of the width of a step, around its middle, that has to lie on an edge. */
const PART = 0.5;
/** How far React Flow bends an edge that leads backwards. */
const BEND = 6.25;

/** Where an edge runs: the curve that React Flow draws from a way out to a step. */
function pointsOn(from: Point, to: Point): Point[] {
  const ahead = to.x - from.x;
  const reach = ahead >= 0 ? ahead / 2 : BEND * Math.sqrt(-ahead);
  return Array.from({ length: SAMPLES + 1 }, (_, n) => {
    const t = n / SAMPLES;
    const u = 1 - t;
    const [ends, bends] = [
      [u ** 3, t ** 3],
      [3 * u * u * t, 3 * u * t * t],
    ] as const;
    return {
      x: ends[0] * from.x + bends[0] * (from.x + reach) + bends[1] * (to.x - reach) + ends[1] * to.x,
      y: (ends[0] + bends[0]) * from.y + (bends[1] + ends[1]) * to.y,
    };
  });
}

/** How near the middle of a box an edge runs; undefined where it does not run through its middle part. */
function nearness(box: Box, points: readonly Point[]): number | undefined {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const inside = points.filter(
    at => Math.abs(at.x - x) < (box.width * PART) / 2 && Math.abs(at.y - y) < box.height / 2,
  );
  return inside.length === 0 ? undefined : Math.min(...inside.map(at => Math.hypot(at.x - x, at.y - y)));
}

/**
 * The edge onto which a drag would put its step. Undefined where none is under it, where several are dragged, and for
 * a step that has edges of its own or takes none.
 */
export function edgeUnder(scene: Scene): { edge: string; step: string } | undefined {
  const { dragged, collapsed } = scene.getView();
  const ids = [...(dragged?.keys() ?? [])];
  const step = ids[0];
  if (ids.length !== 1 || step === undefined || isNote(step) || scene.startsRun(step)) return undefined;
  const state = scene.doc.getState();
  const edges = [...state.edges].filter(([key]) => !isStray(key));
  if (edges.some(([, edge]) => sourceOf(edge) === step || targetOf(edge) === step)) return undefined;
  // A step that undoes another one is no part of the flow.
  if ([...state.nodes.values()].some(node => compensationOf(node) === step)) return undefined;
  const boxes = scene.boxes().absolute;
  const box = boxes.get(step);
  if (!box) return undefined;
  const opened = openedIn(scene);
  const isHidden = (id: string) =>
    !isWithin(state, id, opened) || containersAround(state, id).some(each => collapsed.has(each));
  let found: { edge: string; step: string; distance: number } | undefined;
  for (const [key, edge] of edges) {
    const [from, to] = [boxes.get(sourceOf(edge)), boxes.get(targetOf(edge))];
    if (!from || !to || isHidden(sourceOf(edge)) || isWithin(state, sourceOf(edge), step)) continue;
    const ways = scene.handles(sourceOf(edge));
    const way = Math.max(
      0,
      ways.findIndex(({ id }) => id === handleOf(edge)),
    );
    const begin = { x: from.x + from.width, y: from.y + ((way + 1) * from.height) / (ways.length + 1) };
    const distance = nearness(box, pointsOn(begin, { x: to.x, y: to.y + to.height / 2 }));
    if (distance !== undefined && distance < (found?.distance ?? Infinity)) found = { edge: key, step, distance };
  }
  return found;
}
