import { type ReactNode, type RefObject, useMemo } from "react";
import { removeSelected } from "../actions.ts";
import { openContainer, toggleCollapsed } from "../opened-container.ts";
import type { Scene } from "../scene.ts";
import type { StepNode } from "./drawn.ts";
import { EdgeLayerContext, useEdgeLayer } from "./edge-layer.ts";
import { IconImages } from "./icon-images.tsx";
import { type NodeActions, NodeActionsContext } from "./step-node.tsx";

interface CanvasProvidersProps {
  scene: Scene;
  region: RefObject<HTMLElement | null>;
  nodes: readonly StepNode[];
  children: ReactNode;
}

/** What all steps and edges of a canvas share. */
export function CanvasProviders({ scene, region, nodes, children }: CanvasProvidersProps) {
  const acts = useMemo<NodeActions>(
    () => ({
      addAfter: (id, handle) => scene.set({ prompt: { kind: "add", where: { after: { id, handle } } } }),
      addInside: id => scene.set({ prompt: { kind: "add", where: { inside: id } } }),
      addOnEdge: key => scene.set({ prompt: { kind: "add", where: { edge: key } } }),
      removeEdge(key) {
        scene.set({ edges: [key], nodes: [], notes: [] });
        removeSelected(scene);
      },
      open: id => openContainer(scene, id),
      toggleCollapsed: id => toggleCollapsed(scene, id),
    }),
    [scene],
  );
  return (
    <NodeActionsContext value={acts}>
      <EdgeLayerContext value={useEdgeLayer(region)}>
        <IconImages nodes={nodes} />
        {children}
      </EdgeLayerContext>
    </NodeActionsContext>
  );
}
