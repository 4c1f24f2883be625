import { words } from "../messages/en-builder.ts";
import { nameOf, parentOf } from "./document/index.ts";
import type { Scene } from "./scene.ts";

/** The container that fills the canvas. Undefined if the workflow does. */
export function openedIn(scene: Scene): string | undefined {
  const { opened } = scene.getView();
  return opened !== undefined && scene.doc.getState().nodes.has(opened) ? opened : undefined;
}

/** Lets a container fill the canvas, and selects its first step. */
export function openContainer(scene: Scene, id: string): void {
  const { nodes } = scene.doc.getState();
  const first = [...nodes].find(([, node]) => parentOf(node) === id)?.[0];
  const collapsed = new Set(scene.getView().collapsed);
  collapsed.delete(id);
  scene.set({ opened: id, collapsed });
  scene.select(first === undefined ? [] : [first]);
  scene.say(words.said.opened(nameOf(scene.doc.getState(), id)));
}

/** Leaves the container that fills the canvas. `to` is a container around it, or undefined for the workflow. */
export function leaveContainer(scene: Scene, to?: string): void {
  const from = openedIn(scene);
  scene.set({ opened: to });
  if (from === undefined) return;
  scene.select([from]);
  const state = scene.doc.getState();
  scene.say(to === undefined ? words.said.wholeShown : words.said.opened(nameOf(state, to)));
}

/** Collapses a container to one node, or shows its steps again. */
export function toggleCollapsed(scene: Scene, id: string): void {
  const collapsed = new Set(scene.getView().collapsed);
  const opens = collapsed.delete(id);
  if (!opens) collapsed.add(id);
  const name = nameOf(scene.doc.getState(), id);
  scene.set({ collapsed, announcement: opens ? words.said.unfolded(name) : words.said.folded(name) });
}
