import { type Direction, isDirection, stepToward } from "../../run/graph/step-toward.ts";
import { words } from "../../messages/en-builder.ts";
import { removeSelected, toggleDisabled } from "../actions.ts";
import { duplicate, selectAll } from "../clipboard.ts";
import {
  downstreamOf,
  edgeText,
  handleOf,
  moveNodes,
  nameOf,
  parentOf,
  sourceOf,
  targetOf,
  containersAround,
} from "../document/index.ts";
import { graphOfState, tidySteps } from "../layout.ts";
import { leaveContainer, openContainer, openedIn, toggleCollapsed } from "../opened-container.ts";
import type { Scene } from "../scene.ts";
import { GRID, HEADER, PAD } from "./geometry.ts";
import { hasMinimap } from "./minimap.ts";

const STEPS: Readonly<Record<string, [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A key press on the canvas. */
export interface Key {
  key: string;
  shift: boolean;
  mod: boolean;
}

/** What the keys of the canvas need besides the scene. */
export interface KeyActions {
  fit: () => void;
  zoom: (by: 1 | -1) => void;
  note: () => void;
}

/** Describes a selected step for screen readers: its name, its edges, and its faults. */
export function describeStep(scene: Scene, id: string): string {
  const state = scene.doc.getState();
  const title = scene.infoOf(id)?.title ?? "";
  const next = scene.outgoing(id).map(edge => nameOf(state, targetOf(edge)));
  const parent = parentOf(state.nodes.get(id));
  return words.said.step(nameOf(state, id), title, next, parent === undefined ? undefined : nameOf(state, parent));
}

function walk(scene: Scene, direction: Direction, extend: boolean): void {
  const { nodes, edges } = scene.getView();
  const state = scene.doc.getState();
  const edge = edges[0] === undefined ? undefined : state.edges.get(edges[0]);
  // From a selected edge, the arrow keys lead to its ends.
  const from = edge ? (direction === "ArrowLeft" ? targetOf(edge) : sourceOf(edge)) : nodes.at(-1);
  const opened = openedIn(scene);
  const within = from === undefined && opened !== undefined;
  const to = within
    ? [...state.nodes].find(([, node]) => parentOf(node) === opened)?.[0]
    : stepToward(graphOfState(state), scene.boxes().absolute, from, direction);
  if (to === undefined) return;
  scene.select(extend ? [...nodes.filter(id => id !== to), to] : [to]);
  const count = scene.getView().nodes.length;
  scene.say(count > 1 ? `${describeStep(scene, to)}. ${words.said.selected(count)}` : describeStep(scene, to));
}

function nudge(scene: Scene, direction: string, by: number): void {
  const [dx, dy] = STEPS[direction] ?? [0, 0];
  const { nodes, places } = scene.getView();
  const state = scene.doc.getState();
  const moved = nodes.flatMap(id => {
    const box = scene.boxes().own.get(id);
    if (!box) return [];
    const [x, y] = [box.x + dx * by, box.y + dy * by];
    const inside = parentOf(state.nodes.get(id)) !== undefined;
    return [[id, inside ? { x: Math.max(PAD, x), y: Math.max(HEADER, y) } : { x, y }] as const];
  });
  scene.apply(moveNodes(new Map([...(places ?? []), ...moved]), `nudge ${nodes.join()}`));
  const box = nodes.at(-1) === undefined ? undefined : scene.boxes().own.get(nodes.at(-1)!);
  if (box) scene.say(words.said.at(box.x, box.y));
}

/** Selects the next edge of the step. If an edge is selected, it selects the next one that shares an end with it. */
function cycleEdges(scene: Scene): void {
  const { nodes, edges } = scene.getView();
  const state = scene.doc.getState();
  const anchor = nodes.at(-1) ?? (edges[0] === undefined ? undefined : sourceOf(state.edges.get(edges[0]) ?? {}));
  const out = [...state.edges].filter(([, edge]) => sourceOf(edge) === anchor);
  const own = [...out, ...[...state.edges].filter(([, edge]) => targetOf(edge) === anchor)];
  const at = own.findIndex(([key]) => key === edges[0]);
  const next = own[(at + 1) % own.length];
  if (!next) return scene.say(words.said.noEdges);
  // Edges that leave the step come first, so the same step stays the anchor.
  scene.set({ edges: [next[0]], nodes: [], notes: [], announcement: edgeText(state, next[1]) });
}

/** Asks for a new target of the selected edge. */
function askReconnect(scene: Scene, key: string): void {
  const edge = scene.doc.getState().edges.get(key);
  if (edge && !scene.readOnly)
    scene.set({ prompt: { kind: "connect", source: sourceOf(edge), handle: handleOf(edge), edge: key } });
}

function enter(scene: Scene): void {
  const { nodes: selected, notes } = scene.getView();
  const id = selected.at(-1);
  if (id === undefined) return scene.set({ writing: notes.at(-1) });
  const holdsSteps = [...scene.doc.getState().nodes.values()].some(node => parentOf(node) === id);
  if (!scene.isContainer(id) && !holdsSteps) return scene.enterForm();
  openContainer(scene, id);
  if (!holdsSteps && !scene.readOnly) scene.set({ prompt: { kind: "add", where: { inside: id } } });
}

/** Leaves the selection, and then the container that fills the canvas. */
function leave(scene: Scene): void {
  const opened = openedIn(scene);
  const { nodes, edges, notes } = scene.getView();
  const isSelected = nodes.length + edges.length + notes.length > 0;
  if (isSelected) scene.say(words.said.nothingSelected);
  if (opened === undefined || isSelected) return scene.select([]);
  leaveContainer(scene, containersAround(scene.doc.getState(), opened)[0]);
}

/** Keys that do nothing while the workflow is read-only. */
const EDITS = /^([cmdtTEN]|Delete|Backspace)$/;

function plain(scene: Scene, key: string, acts: KeyActions): boolean {
  const { nodes, edges, moving } = scene.getView();
  switch (key) {
    case "Escape":
      if (moving) scene.set({ moving: false, announcement: words.said.placed });
      else leave(scene);
      return true;
    case "Enter":
      if (moving) scene.set({ moving: false, announcement: words.said.placed });
      else enter(scene);
      return true;
    case "F2":
      if (nodes.length > 0) scene.enterForm();
      return true;
    case "Delete":
    case "Backspace":
      removeSelected(scene);
      return true;
    case "c":
      if (nodes.length > 0) scene.set({ prompt: { kind: "connect", source: nodes.at(-1)! } });
      else if (edges[0] !== undefined) askReconnect(scene, edges[0]);
      else scene.say(words.said.selectFirst);
      return true;
    case "e":
      cycleEdges(scene);
      return true;
    case "f": {
      const id = nodes.at(-1);
      if (id === undefined || !scene.isContainer(id)) scene.say(words.said.selectContainer);
      else toggleCollapsed(scene, id);
      return true;
    }
    case "m":
      if (nodes.length === 0 && edges.length === 0) return false;
      scene.set({ moving: !moving, announcement: moving ? words.said.placed : words.said.moving });
      return true;
    case "d":
      toggleDisabled(scene);
      return true;
    case "t":
      if (nodes.length === 0) scene.say(words.said.selectFirst);
      else scene.testStep();
      return true;
    case "[":
    case "]":
      if (scene.retrace(key === "[" ? -1 : 1)) scene.say(describeStep(scene, scene.getView().nodes[0]!));
      else scene.say(words.said.noFurther);
      return true;
    case "1":
      acts.fit();
      return true;
    case "+":
    case "=":
    case "-":
      acts.zoom(key === "-" ? -1 : 1);
      return true;
    default:
      return false;
  }
}

/** Performs the command of a key on the canvas. Returns whether the key has one. */
export function performKey(scene: Scene, { key, shift, mod }: Key, acts: KeyActions): boolean {
  const { nodes, moving } = scene.getView();
  if (mod && shift && key === "ArrowRight" && nodes.length > 0) {
    const state = scene.doc.getState();
    const all = new Set(nodes.flatMap(id => [...downstreamOf(state, id)]));
    scene.select([...all]);
    scene.say(words.said.selected(all.size));
    return true;
  }
  if (mod) {
    if (key.toLowerCase() === "d") duplicate(scene);
    else if (key.toLowerCase() === "a") {
      selectAll(scene);
      scene.say(words.said.selected(scene.getView().nodes.length));
    } else return false;
    return true;
  }
  if (scene.readOnly && EDITS.test(key)) return false;
  if (isDirection(key)) {
    if (moving && key !== "Home") nudge(scene, key, shift ? 4 * GRID : GRID);
    else walk(scene, key, shift);
    return true;
  }
  if (shift && key === "T") {
    void tidySteps(scene).then(() => scene.say(words.said.tidied));
    return true;
  }
  if (shift && key === "M") {
    const shown = hasMinimap(scene);
    scene.set({ minimap: !shown, announcement: shown ? words.said.mapHidden : words.said.mapShown });
    return true;
  }
  if (shift && key === "E") {
    if (nodes.length === 0) scene.say(words.said.selectFirst);
    else scene.set({ prompt: { kind: "extract" } });
    return true;
  }
  if (shift && key === "N") {
    acts.note();
    return true;
  }
  return plain(scene, key.length === 1 && !shift ? key.toLowerCase() : key, acts);
}
