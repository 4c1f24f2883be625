import type { Scene } from "../scene.ts";

/** The minimap appears from this many steps on. */
const HELPS_FROM = 25;

/** Whether the minimap is shown. A choice of the user overrides the number of steps. */
export const hasMinimap = (scene: Scene, count = scene.doc.getState().nodes.size): boolean =>
  scene.getView().minimap ?? count >= HELPS_FROM;
