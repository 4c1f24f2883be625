import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";
import styles from "./tooltip.module.css";

/**
 * Names what a control does. The control also needs a label of its own, because touch screens show no tooltips and screen
 * readers are not told of them.
 */
export function Tooltip({
  text,
  keys,
  side = "bottom",
  children,
}: {
  text: ReactNode;
  keys?: ReactNode;
  side?: "top" | "bottom" | "left" | "right";
  children: ReactElement;
}) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} side={side} sideOffset={6} collisionPadding={8}>
          <Base.Popup className={styles.popup} aria-hidden>
            {text}
            {keys}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Base.Provider delay={400}>{children}</Base.Provider>
);
