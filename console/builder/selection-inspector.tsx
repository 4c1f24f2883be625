import { Suspense } from "react";
import { useViewOf } from "./canvas/use-view.ts";
import { useDocumentOf } from "./document/index.ts";
import { InspectorRegion } from "./inspector-region.tsx";
import { Inspector, ManySteps } from "./later.ts";
import type { Scene } from "./scene.ts";

/** What is beside the canvas: the selected step, or what can be done with all that are selected. */
export function SelectionInspector({ scene }: { scene: Scene }) {
  const nodes = useViewOf(scene, view => view.nodes);
  // Narrowly, because a key in a field must not draw this again.
  const last = useDocumentOf(scene.doc, state => nodes.findLast(id => state.nodes.has(id)));
  const isMany = useDocumentOf(scene.doc, state => nodes.length > 1 && nodes.every(id => state.nodes.has(id)));
  if (last === undefined) return null;
  return (
    <InspectorRegion scene={scene}>
      <Suspense fallback={null}>
        {isMany ? (
          <ManySteps scene={scene} nodes={nodes} />
        ) : (
          <Inspector key={last} scene={scene} nodeId={last} onClose={() => scene.select([])} />
        )}
      </Suspense>
    </InspectorRegion>
  );
}
