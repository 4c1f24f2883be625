import { createContext, type RefObject, useEffect, useState } from "react";
import styles from "./edge-view.module.css";

/** The `svg` of `useEdgeLayer`. */
export const EdgeLayerContext = createContext<SVGSVGElement | null>(null);

function newEdgeLayer(): SVGSVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("class", styles.layer!);
  made.setAttribute("aria-hidden", "true");
  return made;
}

/**
 * One `svg` that holds most edges. React Flow gives each edge its own, and the browser sorts all of them into layers
 * before each paint, even if only a field elsewhere on the page changes.
 */
export function useEdgeLayer(region: RefObject<HTMLElement | null>): SVGSVGElement {
  const [layer] = useState(newEdgeLayer);
  useEffect(() => {
    region.current?.querySelector(".react-flow__viewport-portal")?.append(layer);
    return () => layer.remove();
  }, [region, layer]);
  return layer;
}
