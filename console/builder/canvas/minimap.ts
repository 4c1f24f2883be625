import type { Scene } from "../scene.ts";

/** From this many steps on, a map in the corner helps. */
const HELPS_FROM = 25;

/** Whether the map in the corner is shown: as a person chose, or else where it helps. */
export const hasMinimap = (scene: Scene, count = scene.doc.getState().nodes.size): boolean =>
  scene.getView().minimap ?? count >= HELPS_FROM;
