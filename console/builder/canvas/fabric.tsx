import { type ReactNode, type RefObject, useMemo } from "react";
import { removeSelected } from "../acts.ts";
import { openContainer, toggleCollapsed } from "../opened-container.ts";
import type { Scene } from "../scene.ts";
import type { StepNode } from "./drawn.ts";
import { IconPress } from "./icon-press.tsx";
import { SheetContext, useSheet } from "./sheet.ts";
import { type NodeActs, NodeActsContext } from "./step-node.tsx";

interface FabricProps {
  scene: Scene;
  region: RefObject<HTMLElement | null>;
  nodes: readonly StepNode[];
  children: ReactNode;
}

/** What all steps and threads of a canvas share. */
export function Fabric({ scene, region, nodes, children }: FabricProps) {
  const acts = useMemo<NodeActs>(
    () => ({
      addAfter: (id, handle) => scene.set({ asked: { kind: "add", where: { after: { id, handle } } } }),
      addInside: id => scene.set({ asked: { kind: "add", where: { inside: id } } }),
      addOnEdge: key => scene.set({ asked: { kind: "add", where: { edge: key } } }),
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
    <NodeActsContext value={acts}>
      <SheetContext value={useSheet(region)}>
        <IconPress nodes={nodes} />
        {children}
      </SheetContext>
    </NodeActsContext>
  );
}
