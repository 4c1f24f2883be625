import { words } from "../messages/en-builder.ts";
import { freePlace, GRID } from "./canvas/geometry.ts";
import {
  clipFrom,
  clipOf,
  deleteNodes,
  idsFor,
  isStray,
  nodeLabel,
  parentOf,
  paste,
  type Places,
} from "./document/index.ts";
import type { Scene } from "./scene.ts";

const placesOf = (scene: Scene): Places => new Map([...scene.boxes().own].map(([id, { x, y }]) => [id, { x, y }]));

/** What is selected, as text for the clipboard; undefined where nothing is. */
export function copied(scene: Scene, workspaceId?: string): string | undefined {
  const { nodes } = scene.getView();
  if (nodes.length === 0) return undefined;
  const clip = clipOf(scene.doc.getState(), nodes, placesOf(scene), workspaceId);
  scene.say(words.said.copied(clip.nodes.length));
  return JSON.stringify(clip, null, 2);
}

export function cut(scene: Scene, workspaceId?: string): string | undefined {
  const text = copied(scene, workspaceId);
  const { nodes } = scene.getView();
  if (text === undefined || scene.readOnly) return text;
  scene.apply(deleteNodes(nodes, nodeLabel(scene.doc.getState(), nodes)));
  scene.select([]);
  return text;
}

/** The container into which a paste goes: the selected one, or that of the selected step. */
function targetOf(scene: Scene): string | undefined {
  const id = scene.getView().nodes.at(-1);
  if (id === undefined) return undefined;
  return scene.isContainer(id) ? id : parentOf(scene.doc.getState().nodes.get(id));
}

/** Pastes the text of a clipboard. Returns whether it held steps. */
export function pasted(scene: Scene, text: string): boolean {
  const clip = clipFrom(text);
  if (!clip || scene.readOnly) return false;
  const state = scene.doc.getState();
  const parent = targetOf(scene);
  const last = scene.getView().nodes.at(-1);
  const box = last === undefined ? undefined : scene.boxes().own.get(last);
  const wish =
    parent !== undefined && last === parent ? { x: 0, y: 0 } : box ? { x: box.x, y: box.y + 3 * GRID } : scene.centre();
  const ids = [...idsFor(state, clip).values()];
  scene.apply(paste(clip, freePlace(state, scene.boxes(), parent, wish), parent, scene.isLiteral));
  scene.select(ids);
  scene.say(words.said.pasted(ids.length));
  return true;
}

/** Makes a second one of what is selected, beside it. */
export function duplicate(scene: Scene): void {
  const { nodes } = scene.getView();
  if (nodes.length === 0 || scene.readOnly) return;
  const state = scene.doc.getState();
  const clip = clipOf(state, nodes, placesOf(scene));
  const boxes = nodes.flatMap(id => scene.boxes().own.get(id) ?? []);
  const wish = {
    x: Math.min(...boxes.map(({ x }) => x)),
    y: Math.max(...boxes.map(({ y, height }) => y + height)) + 3 * GRID,
  };
  const parent = parentOf(state.nodes.get(nodes[0]!));
  const ids = [...idsFor(state, clip).values()];
  scene.apply(paste(clip, freePlace(state, scene.boxes(), parent, wish), parent, scene.isLiteral));
  scene.select(ids);
  scene.say(words.said.pasted(ids.length));
}

export function selectAll(scene: Scene): void {
  scene.select([...scene.doc.getState().nodes.keys()].filter(id => !isStray(id)));
}
