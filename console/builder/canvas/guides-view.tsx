import { ViewportPortal } from "@xyflow/react";
import { parentOf } from "../document/index.ts";
import type { Scene } from "../scene.ts";
import styles from "./canvas.module.css";
import { type Guide, guidesOf } from "./guides.ts";
import { isNote } from "./notes.ts";
import { useViewOf } from "./use-view.ts";

const placeOf = ({ along, at, from, to }: Guide) =>
  along === "y"
    ? { left: from, top: at, width: to - from, height: 1 }
    : { left: at, top: from, width: 1, height: to - from };

/** Draws lines while a step is dragged. They show the steps on the same level that it is aligned with. */
export function Guides({ scene }: { scene: Scene }) {
  const dragged = useViewOf(scene, view => view.dragged);
  const id = dragged && [...dragged.keys()].find(each => !isNote(each));
  if (id === undefined) return null;
  const { nodes } = scene.doc.getState();
  const { absolute } = scene.boxes();
  const box = absolute.get(id);
  const parent = parentOf(nodes.get(id));
  const others = [...absolute].filter(([other]) => !dragged?.has(other) && parentOf(nodes.get(other)) === parent);
  if (!box) return null;
  return (
    <ViewportPortal>
      {guidesOf(
        box,
        others.map(([, other]) => other),
      ).map(guide => (
        <span key={guide.along} className={styles.guide} data-guide={guide.along} style={placeOf(guide)} />
      ))}
    </ViewportPortal>
  );
}
