import { type ReactFlowState, useReactFlow, useStore } from "@xyflow/react";
import { ChevronDown, ChevronLeft, ChevronRight, ChevronUp } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { graphTexts } from "../../messages/en-graph.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./beyond.module.css";
import { panToward, type Side, SIDES } from "./viewport-sides.ts";

const ICONS = { left: ChevronLeft, right: ChevronRight, top: ChevronUp, bottom: ChevronDown };

/** How many steps are beyond each side of the canvas, as a text, so that React Flow compares it cheaply. */
function countBeyond({ nodeLookup, transform: [left, top, zoom], width, height }: ReactFlowState): string {
  const counts = { left: 0, right: 0, top: 0, bottom: 0 };
  for (const { type, internals, width: wide = 0, height: high = 0 } of nodeLookup.values()) {
    if (type === "container") continue;
    // A step counts if its middle is out of sight.
    const x = (internals.positionAbsolute.x + wide / 2) * zoom + left;
    const y = (internals.positionAbsolute.y + high / 2) * zoom + top;
    if (x < 0) counts.left++;
    else if (x > width) counts.right++;
    else if (y < 0) counts.top++;
    else if (y > height) counts.bottom++;
  }
  return SIDES.map(side => counts[side]).join();
}

/** The sides of the canvas beyond which steps are: a fade, and a button that moves the view there. */
export function Beyond({ region }: { region: RefObject<HTMLElement | null> }) {
  const counts = useStore(countBeyond);
  const flow = useReactFlow();
  const pressed = useRef(false);
  useEffect(() => {
    // A button leaves the page when the view reaches the end. The canvas takes its focus, so that keys still work.
    if (!pressed.current || document.activeElement !== document.body) return;
    pressed.current = false;
    region.current?.querySelector<HTMLElement>("[role=application]")?.focus({ preventScroll: true });
  }, [counts, region]);
  const move = (side: Side) => {
    pressed.current = true;
    panToward(flow, region.current, side);
  };
  const numbers = counts.split(",").map(Number);
  return SIDES.map((side, n) => {
    const count = numbers[n] ?? 0;
    const Icon = ICONS[side];
    return count > 0 ? (
      <div key={side} className={styles.side} data-side={side}>
        <Button
          size="small"
          className={styles.more}
          icon={<Icon size={14} aria-hidden />}
          aria-label={graphTexts.beyond[side](count)}
          onClick={() => move(side)}
        >
          {graphTexts.more(count)}
        </Button>
      </div>
    ) : null;
  });
}
