import { MiniMap, Panel, useReactFlow } from "@xyflow/react";
import { Maximize, Minus, Network, Plus, StickyNote } from "lucide-react";
import type { ReactElement } from "react";
import { words } from "../../messages/en-builder.ts";
import { stateOf } from "../../run/step-state.ts";
import { IconButton } from "../../ui/button.tsx";
import { Keys } from "../../ui/kbd.tsx";
import { Tooltip } from "../../ui/tooltip.tsx";
import { tidySteps } from "../layout.ts";
import { nextInsertPosition } from "../actions.ts";
import type { Scene } from "../scene.ts";
import styles from "./canvas.module.css";
import type { StepNode } from "./drawn.ts";
import type { KeyActions } from "./keys.ts";
import { hasMinimap } from "./minimap.ts";
import { useViewOf } from "./use-view.ts";

function Tool({
  label,
  keys,
  onClick,
  children,
}: {
  label: string;
  keys: string;
  onClick: () => void;
  children: ReactElement;
}) {
  return (
    <Tooltip text={label} keys={<Keys keys={keys} />} side="right">
      <IconButton label={label} onClick={onClick}>
        {children}
      </IconButton>
    </Tooltip>
  );
}

/** The tools at the edge of the canvas, and the minimap in its corner. */
export function CanvasTools({ scene, count, acts }: { scene: Scene; count: number; acts: KeyActions }) {
  const flow = useReactFlow();
  const minimap = useViewOf(scene, () => hasMinimap(scene, count));
  return (
    <>
      {scene.readOnly ? null : (
        <Panel position="top-left" className={styles.tools}>
          <Tool
            label={words.addStep}
            keys="n"
            onClick={() => scene.set({ prompt: { kind: "add", where: nextInsertPosition(scene) } })}
          >
            <Plus size={16} aria-hidden />
          </Tool>
          <Tool label={words.addNote} keys="shift n" onClick={acts.note}>
            <StickyNote size={16} aria-hidden />
          </Tool>
          <Tool label={words.tidy} keys="shift t" onClick={() => void tidySteps(scene)}>
            <Network size={16} aria-hidden />
          </Tool>
        </Panel>
      )}
      <Panel position="bottom-left" className={styles.tools}>
        <Tool label={words.zoomIn} keys="+" onClick={() => acts.zoom(1)}>
          <Plus size={16} aria-hidden />
        </Tool>
        <Tool label={words.zoomOut} keys="-" onClick={() => acts.zoom(-1)}>
          <Minus size={16} aria-hidden />
        </Tool>
        <Tool label={words.fit} keys="1" onClick={acts.fit}>
          <Maximize size={16} aria-hidden />
        </Tool>
      </Panel>
      {minimap ? (
        <MiniMap
          pannable
          zoomable
          className={styles.minimap}
          nodeClassName={node => {
            const { step } = (node as StepNode).data;
            return styles[step ? stateOf(step) : node.type === "note" ? "noteMark" : "unstarted"] ?? "";
          }}
          ariaLabel={words.minimap}
          onClick={(_event, { x, y }) => void flow.setCenter(x, y, { zoom: flow.getZoom(), duration: 200 })}
        />
      ) : null}
    </>
  );
}
