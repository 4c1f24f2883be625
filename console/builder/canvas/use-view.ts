import { useSyncExternalStore } from "react";
import type { Scene, View } from "../scene.ts";

/** The view of a scene. The component is drawn again whenever it changes. */
export const useView = (scene: Scene): View => useSyncExternalStore(scene.subscribe, scene.getView);

/** One value of the view. The component is drawn again only when this value changes. */
export const useViewOf = <T>(scene: Scene, pick: (view: View) => T): T =>
  useSyncExternalStore(scene.subscribe, () => pick(scene.getView()));
