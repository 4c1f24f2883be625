import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { nodeTypesQuery } from "../../data/node-types.ts";
import { Canvas } from "../canvas/canvas.tsx";
import type { Comparison } from "../diff/compare.ts";
import { BuilderDocument } from "../document/index.ts";
import { Scene } from "../scene.ts";
import styles from "./merge.module.css";

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

/** Shows the workflow after the merge. Parts that others changed have a frame in their colour. */
export function MergedPicture({ comparison, workspaceId }: { comparison: Comparison; workspaceId: string }) {
  const { data: types } = useQuery(nodeTypesQuery);
  const { state, marks, edgeMarks } = comparison;
  const scene = useMemo(() => {
    const made = new Scene(new BuilderDocument(state));
    // The view starts at the first marked step.
    const [first] = marks.keys();
    if (first !== undefined) made.select([first]);
    return made;
  }, [state, marks]);
  scene.prepare(types, true);
  if (marks.size + edgeMarks.size === 0) return null;
  return (
    <div className={styles.picture}>
      <Canvas key={marks.size} {...{ scene, marks, edgeMarks, workspaceId }} steps={NONE} faults={NONE} />
    </div>
  );
}
