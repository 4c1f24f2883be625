import { problemOf } from "../data/problem.ts";
import { words } from "../messages/en-builder.ts";
import { toast } from "../ui/toast.tsx";
import { freePlace, GRID, onGrid } from "./canvas/geometry.ts";
import {
  type Clip,
  clipFrom,
  clipIn,
  clipOf,
  deleteNodes,
  foreignFrom,
  idsFor,
  isStray,
  nodeLabel,
  parentOf,
  paste,
  type Places,
  positionOf,
  isWithin,
} from "./document/index.ts";
import { openedIn } from "./opened-container.ts";
import type { Scene } from "./scene.ts";

const placesOf = (scene: Scene): Places => new Map([...scene.boxes().own].map(([id, { x, y }]) => [id, { x, y }]));

/** The selection as text for the clipboard. Undefined if nothing is selected. */
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

/** The container that receives a paste: the selected one, or that of the selected step. */
function targetOf(scene: Scene): string | undefined {
  const id = scene.getView().nodes.at(-1);
  if (id === undefined) return openedIn(scene);
  return scene.isContainer(id) ? id : parentOf(scene.doc.getState().nodes.get(id));
}

/** Pastes text from the clipboard. Returns whether it contained steps. */
export const pasted = (scene: Scene, text: string): boolean => pastedClip(scene, clipFrom(text)) !== undefined;

/** Pastes text that contains steps of Weft or a workflow of n8n. */
export function pastedText(scene: Scene, text: string): void {
  const foreign = foreignFrom(text);
  if (foreign === undefined) pasted(scene, text);
  else void pastedForeign(scene, foreign);
}

/** Steps in n8n are half as wide as ours and closer together. */
const SPREAD = 1.4;

/** Spreads the steps of a converted workflow, so that they do not overlap. */
const spread = (clip: Clip | undefined): Clip | undefined =>
  clip && {
    ...clip,
    nodes: clip.nodes.map(node => {
      const at = positionOf(node);
      return at ? { ...node, position: onGrid({ x: at.x * SPREAD, y: at.y }) } : node;
    }),
  };

/** Pastes a workflow of n8n, which the service converts, and lists the parts that the user should check. */
export async function pastedForeign(scene: Scene, document: unknown): Promise<void> {
  if (scene.readOnly) return;
  scene.say(words.said.converting);
  try {
    const { definition, warnings } = await scene.convert(document);
    const ids = pastedClip(scene, spread(clipIn(definition)));
    if (!ids) return void toast.failed(words.nothingConverted);
    const remarks = warnings.map(({ nodeId, node, message }) => ({ id: ids.get(nodeId ?? ""), node, message }));
    if (remarks.length > 0) scene.set({ prompt: { kind: "converted", remarks } });
  } catch (error) {
    toast.problem(problemOf(error));
  }
}

/** Pastes a clip, and returns the ids of its steps on the canvas by those in the clip. Undefined where nothing came. */
function pastedClip(scene: Scene, clip: Clip | undefined): ReadonlyMap<string, string> | undefined {
  if (!clip || scene.readOnly) return undefined;
  const state = scene.doc.getState();
  const parent = targetOf(scene);
  const last = scene.getView().nodes.at(-1);
  const box = last === undefined ? undefined : scene.boxes().own.get(last);
  const wish =
    parent !== undefined && last === parent ? { x: 0, y: 0 } : box ? { x: box.x, y: box.y + 3 * GRID } : scene.centre();
  const renamed = idsFor(state, clip);
  const ids = [...renamed.values()];
  scene.apply(paste(clip, freePlace(state, scene.boxes(), parent, wish), parent, scene.isLiteral));
  scene.select(ids);
  scene.show(ids.flatMap(id => scene.boxes().absolute.get(id) ?? []));
  scene.say(words.said.pasted(ids.length));
  return renamed;
}

/** Duplicates the selection beside it. */
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
  const command = paste(clip, freePlace(state, scene.boxes(), parent, wish), parent, scene.isLiteral);
  scene.apply({ ...command, label: words.command.duplicate(ids.length) });
  scene.select(ids);
  scene.say(words.said.duplicated(ids.length));
}

export function selectAll(scene: Scene): void {
  const state = scene.doc.getState();
  const opened = openedIn(scene);
  scene.select([...state.nodes.keys()].filter(id => !isStray(id) && id !== opened && isWithin(state, id, opened)));
}
