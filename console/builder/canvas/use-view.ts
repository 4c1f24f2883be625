import { useSyncExternalStore } from "react";
import type { Scene, View } from "../scene.ts";

/** What is seen of the document. The component is drawn again whenever that changes. */
export const useView = (scene: Scene): View => useSyncExternalStore(scene.subscribe, scene.getView);

/** One thing of the view. */
export const useViewOf = <T>(scene: Scene, pick: (view: View) => T): T =>
  useSyncExternalStore(scene.subscribe, () => pick(scene.getView()));
