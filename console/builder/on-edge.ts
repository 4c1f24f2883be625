import { words } from "../messages/en-builder.ts";
import { GAP, STEP } from "./canvas/geometry.ts";
import { defaultHandle } from "./canvas/handles.ts";
import { downstreamOf, nameOf, parentOf, putOnEdge, sourceOf, targetOf } from "./document/index.ts";
import type { Scene } from "./scene.ts";

/** Where a step of this size stands on an edge. What follows moves on, if there is too little room. */
export function makeRoomOnEdge(scene: Scene, key: string, { width, height }: { width: number; height: number }) {
  const state = scene.doc.getState();
  const edge = state.edges.get(key);
  if (!edge) return undefined;
  const [source, target] = [sourceOf(edge), targetOf(edge)];
  const { own } = scene.boxes();
  const [from, to] = [own.get(source), own.get(target)];
  if (!from || !to) return undefined;
  const x = Math.max(from.x + from.width + GAP.x, (from.x + from.width + to.x - width) / 2);
  const y = to.x > from.x + from.width ? to.y + to.height / 2 - height / 2 : from.y;
  const dx = x + width + GAP.x - to.x;
  const ids = [...downstreamOf(state, target)].filter(id => (own.get(id)?.x ?? 0) >= to.x);
  const shift = dx > 0 && to.x > from.x ? { ids, dx, dy: 0 } : undefined;
  return { position: { x, y }, shift, parent: parentOf(state.nodes.get(source)) };
}

/** Puts a step that has no edges onto an edge. */
export function moveOntoEdge(scene: Scene, key: string, id: string): void {
  const room = makeRoomOnEdge(scene, key, scene.boxes().own.get(id) ?? STEP);
  if (!room) return;
  const name = nameOf(scene.doc.getState(), id);
  const { position, shift } = room;
  const handle = defaultHandle(scene.handles(id))?.id;
  const command = putOnEdge(key, { id, name, position }, { handle, shift, places: scene.getView().places });
  if (scene.apply(command)) scene.say(words.said.done(command.label));
}
