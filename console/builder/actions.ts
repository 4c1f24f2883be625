import { words } from "../messages/en-builder.ts";
import { freePlace, HEADER, heightFor, inside, placeAfter, STEP } from "./canvas/geometry.ts";
import { defaultHandle, handlesOf } from "./canvas/handles.ts";
import {
  connect,
  deleteNodes,
  deleteNotes,
  disconnect,
  freeId,
  handleOf,
  insertNode,
  insertOnEdge,
  isDisabled,
  isStray,
  nameOf,
  type NewNode,
  nodeLabel,
  parentOf,
  type Point,
  setDisabled,
  sourceOf,
  targetOf,
  whyNot,
} from "./document/index.ts";
import type { NodeType } from "./node-types.ts";
import { makeRoomOnEdge } from "./on-edge.ts";
import { openedIn } from "./opened-container.ts";
import type { InsertPosition, Scene } from "./scene.ts";
import { refocus } from "./take-focus.ts";

/** Returns a free name for a new step: the title of its type, with a number if another step already has it. */
function freeName(scene: Scene, title: string): string {
  const taken = new Set([...scene.doc.getState().nodes.keys()].map(id => nameOf(scene.doc.getState(), id)));
  for (let n = 1; ; n++) {
    const name = n === 1 ? title : `${title} ${n}`;
    if (!taken.has(name)) return name;
  }
}

function nodeOf(scene: Scene, type: NodeType, data: object, position: Point, parentId?: string): NewNode {
  const { title, defaults } = type;
  const id = freeId(scene.doc.getState(), type.type);
  const name = freeName(scene, title);
  return { id, type: type.type, name, parentId, position, data: { ...defaults, ...data } };
}

function addOnEdge(scene: Scene, key: string, type: NodeType, data: object): string | undefined {
  const room = makeRoomOnEdge(scene, key, STEP);
  if (!room) return undefined;
  const { position, shift, parent } = room;
  const node = nodeOf(scene, type, data, position, parent);
  const handle = defaultHandle(handlesOf({ ...node }, type, []))?.id;
  scene.apply(insertOnEdge(key, node, { handle, shift, places: scene.getView().places }));
  return node.id;
}

function addAfter(scene: Scene, after: { id: string; handle: string }, type: NodeType, data: object, at?: Point) {
  const state = scene.doc.getState();
  const handles = scene.handles(after.id);
  const index = handles.findIndex(({ id }) => id === after.handle);
  const boxes = scene.boxes();
  const parent = parentOf(state.nodes.get(after.id));
  const place = at
    ? freePlace(state, boxes, parent, inside(boxes, parent, { x: at.x, y: at.y - STEP.height / 2 }))
    : placeAfter(state, boxes, after.id, { index: Math.max(0, index), of: Math.max(1, handles.length) });
  const node = nodeOf(scene, type, data, place, parent);
  // Aligns the handles, so that the edge is straight even if the target is taller than other steps.
  const { length } = handlesOf({ ...node }, type, []);
  const y = type.container ? place.y : place.y - (heightFor(length) - STEP.height) / 2;
  if (parent === undefined || y >= HEADER) node.position = { ...place, y };
  const takes = type.category !== "start";
  scene.apply(insertNode({ node, after: takes ? after : undefined, places: scene.getView().places }));
  return node.id;
}

function addFree(scene: Scene, type: NodeType, data: object, { inside: parent, at }: InsertPosition): string {
  const state = scene.doc.getState();
  const boxes = scene.boxes();
  const centre = at ?? scene.centre();
  const wish =
    parent === undefined ? { x: centre.x - (at ? 0 : STEP.width / 2), y: centre.y - STEP.height / 2 } : { x: 0, y: 0 };
  const node = nodeOf(scene, type, data, freePlace(state, boxes, parent, wish), parent);
  scene.apply(insertNode({ node, places: scene.getView().places }));
  return node.id;
}

/**
 * Where a step without a next one goes instead of onto an edge: beside the step that the edge leads to. On the edge it
 * would cut that step off, which then would start with the run.
 */
function besideNext(scene: Scene, key: string | undefined, type: NodeType, data: object): InsertPosition["after"] {
  const edge = key === undefined ? undefined : scene.doc.getState().edges.get(key);
  if (!edge || type.category === "start" || handlesOf({ type: type.type, data }, type, []).length > 0) return undefined;
  return { id: sourceOf(edge), handle: handleOf(edge) };
}

/** Adds a step and selects it. */
export function addStep(scene: Scene, type: NodeType, where: InsertPosition, data: object = {}): void {
  if (scene.readOnly) return;
  const { edge } = where;
  const after = where.after ?? besideNext(scene, edge, type, data);
  const id =
    edge !== undefined && !after && type.category !== "start"
      ? addOnEdge(scene, edge, type, data)
      : after
        ? addAfter(scene, after, type, data, where.at)
        : addFree(scene, type, data, where);
  if (id === undefined) return;
  scene.select([id]);
  scene.set({ fresh: id });
  const name = nameOf(scene.doc.getState(), id);
  const source = after && nameOf(scene.doc.getState(), after.id);
  scene.say(source === undefined ? words.said.added(name) : words.said.addedAfter(name, source));
}

/**
 * Where a step goes that is added by key: onto the selected edge, behind the selected step, or behind the last step.
 */
export function nextInsertPosition(scene: Scene): InsertPosition {
  const { nodes, edges } = scene.getView();
  const state = scene.doc.getState();
  if (edges[0] !== undefined) return { edge: edges[0] };
  const id = nodes.at(-1);
  if (id !== undefined && state.nodes.has(id)) return placeBehind(scene, id);
  const opened = openedIn(scene);
  const ends = [...state.nodes.keys()].filter(
    each => !isStray(each) && parentOf(state.nodes.get(each)) === opened && scene.outgoing(each).length === 0,
  );
  if (ends.length === 1) return placeBehind(scene, ends[0]!);
  return opened === undefined ? {} : { inside: opened };
}

/** Places a step at the first free handle of another step. If every handle is connected, it goes onto an edge. */
function placeBehind(scene: Scene, id: string): InsertPosition {
  const handles = scene.handles(id);
  const used = new Set(scene.outgoing(id).map(handleOf));
  const free =
    handles.find(handle => handle.default && !used.has(handle.id)) ?? handles.find(each => !used.has(each.id));
  if (free) return { after: { id, handle: free.id } };
  const own = [...scene.doc.getState().edges].filter(([, edge]) => sourceOf(edge) === id);
  return own.length === 1 ? { edge: own[0]![0] } : handles[0] ? { after: { id, handle: handles[0].id } } : {};
}

export function connectSteps(scene: Scene, source: string, handle: string, target: string): boolean {
  const state = scene.doc.getState();
  const refusal = whyNot(state, { source, target, handle }, scene.startsRun);
  if (refusal) {
    scene.say(words.refusal[refusal]);
    if (refusal === "level" && !scene.readOnly) scene.set({ prompt: { kind: "level", source, handle, target } });
    return false;
  }
  const done = scene.apply(connect({ source, target, handle }));
  if (done) scene.say(words.said.connected(nameOf(state, source), nameOf(state, target)));
  return done;
}

/** Deletes the selection, and selects the step before it. */
export function removeSelected(scene: Scene): void {
  const { nodes, edges, notes } = scene.getView();
  const state = scene.doc.getState();
  if (scene.readOnly) return;
  if (notes.length > 0) scene.apply(deleteNotes(notes));
  else if (edges.length > 0) scene.apply(disconnect(edges));
  else if (nodes.length > 0) {
    const label = nodeLabel(state, nodes);
    const before = [...state.edges.values()].find(
      edge => targetOf(edge) === nodes[0] && !nodes.includes(sourceOf(edge)),
    );
    scene.apply(deleteNodes(nodes, label));
    scene.select(before ? [sourceOf(before)] : []);
    return scene.say(words.said.done(label));
  } else return;
  scene.select([]);
  scene.say(words.said.deleted);
}

export function toggleDisabled(scene: Scene): void {
  const { nodes } = scene.getView();
  if (nodes.length === 0) return;
  const state = scene.doc.getState();
  const disable = nodes.some(id => !isDisabled(state.nodes.get(id)));
  const command = setDisabled(nodes, disable);
  if (scene.apply(command)) scene.say(words.said.done(command.label));
}

/** Undoes or redoes an edit. It restores the view at the time of the edit, or else shows what changed. */
export function undoOrRedo(scene: Scene, direction: "undo" | "redo"): void {
  if (scene.readOnly) return;
  const done = scene.doc[direction]();
  if (!done) return scene.say(direction === "undo" ? words.said.nothingToUndo : words.said.nothingToRedo);
  if (done.sight) scene.restore(done.sight);
  else scene.select(done.nodes.filter(id => scene.doc.getState().nodes.has(id)).slice(0, 50));
  scene.say(direction === "undo" ? words.said.undone(done.label) : words.said.redone(done.label));
  // The focused field may belong to a step that is no longer selected.
  refocus(scene);
}
