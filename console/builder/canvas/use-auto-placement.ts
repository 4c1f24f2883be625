import { useEffect } from "react";
import type { DocumentState } from "../document/index.ts";
import { laidOut } from "../layout.ts";
import type { Scene } from "../scene.ts";
import { unplaced } from "../unplaced.ts";

/** Finds places for steps without one. They become part of the document with the next edit that moves steps. */
export function useAutoPlacement(scene: Scene, { nodes }: Pick<DocumentState, "nodes">): void {
  useEffect(() => {
    const missing = unplaced(scene.doc.getState());
    const { places } = scene.getView();
    if (missing.size === 0) {
      if (places) scene.set({ places: undefined });
      return;
    }
    if (places && [...missing].every(id => places.has(id))) return;
    let current = true;
    void laidOut(scene).then(all => {
      if (current) scene.set({ places: new Map([...all].filter(([id]) => missing.has(id))) });
    });
    return () => {
      current = false;
    };
  }, [scene, nodes]);
}
