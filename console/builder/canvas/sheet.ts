import { createContext, type RefObject, useEffect, useState } from "react";
import styles from "./thread.module.css";

/** The `svg` of `useSheet`. */
export const SheetContext = createContext<SVGSVGElement | null>(null);

function newSheet(): SVGSVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("class", styles.sheet!);
  made.setAttribute("aria-hidden", "true");
  return made;
}

/**
 * One `svg` that holds most threads. React Flow gives each edge its own, and the browser sorts all of them into layers
 * before each paint, even if only a field elsewhere on the page changes.
 */
export function useSheet(region: RefObject<HTMLElement | null>): SVGSVGElement {
  const [sheet] = useState(newSheet);
  useEffect(() => {
    region.current?.querySelector(".react-flow__viewport-portal")?.append(sheet);
    return () => sheet.remove();
  }, [region, sheet]);
  return sheet;
}
