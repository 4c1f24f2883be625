import { words } from "../../messages/en-builder.ts";
import {
  type Command,
  moveNodes,
  nameOf,
  parentOf,
  type Point,
  setNote,
  setParent,
  sourceOf,
  targetOf,
  combinedCommand,
  isWithin,
} from "../document/index.ts";
import { moveOntoEdge } from "../on-edge.ts";
import { openedIn } from "../opened-container.ts";
import type { Scene } from "../scene.ts";
import { edgeUnder } from "./edge-under.ts";
import { isNote, noteId } from "./notes.ts";
import { type Box, HEADER, onGrid, PAD, STEP } from "./geometry.ts";

const holds = (frame: Box, { x, y }: Point) =>
  x > frame.x && x < frame.x + frame.width && y > frame.y && y < frame.y + frame.height;

/**
 * Ends a drag. The new places become part of the document. A step that lies inside a container becomes its content. A
 * step without edges that lies on an edge goes between its ends.
 */
export function endDrag(scene: Scene): void {
  const { dragged, places } = scene.getView();
  if (!dragged) return;
  const dropping = scene.boxes().absolute;
  const aimed = edgeUnder(scene);
  scene.set({ dragged: undefined });
  if (aimed) return moveOntoEdge(scene, aimed.edge, aimed.step);
  // A dragged note stays where it was dropped, even if the step that it is tied to moves too.
  const notes = [...dragged].filter(([id]) => isNote(id)).map(([id, at]) => setNote(noteId(id), onGrid(at)));
  const apply = (command: Command) =>
    scene.apply(notes.length === 0 ? command : combinedCommand(command.label, [command, ...notes]));
  const state = scene.doc.getState();
  const frames = scene.boxes().absolute;
  const ids = [...dragged.keys()].filter(id => !isNote(id));
  const first = ids[0];
  if (first === undefined) {
    if (notes[0]) scene.apply(combinedCommand(notes[0].label, notes));
    return;
  }
  const box = dropping.get(first);
  const centre = box && { x: box.x + Math.min(box.width, STEP.width) / 2, y: box.y + STEP.height / 2 };
  const parent = parentOf(state.nodes.get(first));
  // While a container fills the canvas, a step that is dropped beside its content stays in it.
  const opened = openedIn(scene);
  // The innermost container below the step, except dragged ones.
  const into =
    [...frames]
      .filter(([id, frame]) => scene.isContainer(id) && !ids.includes(id) && centre && holds(frame, centre))
      .filter(([id]) => isWithin(state, id, opened))
      .toSorted(([, a], [, b]) => a.width * a.height - b.width * b.height)[0]?.[0] ?? opened;
  const tied = [...state.edges.values()].some(edge => ids.includes(sourceOf(edge)) !== ids.includes(targetOf(edge)));
  const own = new Map(
    ids.map(id => {
      const at = onGrid(dragged.get(id)!);
      const isInside = parentOf(state.nodes.get(id)) !== undefined;
      return [id, isInside ? { x: Math.max(PAD, at.x), y: Math.max(HEADER, at.y) } : at] as const;
    }),
  );
  const all = new Map([...(places ?? []), ...own]);
  if (into === parent || ids.some(id => parentOf(state.nodes.get(id)) !== parent)) return void apply(moveNodes(all));
  if (tied) {
    apply(moveNodes(all));
    return scene.say(words.said.tied(nameOf(state, first)));
  }
  const frame = into === undefined ? { x: 0, y: 0 } : frames.get(into)!;
  for (const id of ids) {
    const at = dropping.get(id)!;
    const place = onGrid({ x: at.x - frame.x, y: at.y - frame.y });
    all.set(id, into === undefined ? place : { x: Math.max(PAD, place.x), y: Math.max(HEADER, place.y) });
  }
  apply(setParent(ids, into, all));
  scene.say(into === undefined ? words.said.takenOut : words.said.putInto(nameOf(state, into)));
}
