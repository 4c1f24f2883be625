import { useStoreApi } from "@xyflow/react";
import { useEffect, useState } from "react";
import { words } from "../../messages/en-builder.ts";
import { type Ends, type Point, whyNot } from "../document/index.ts";
import type { Scene } from "../scene.ts";
import styles from "./canvas.module.css";
import { stepAt } from "./step-at.ts";

/** How long the reason stays after the connection was dropped. */
const STAYS_MS = 3_000;
/** The distance between the pointer and the text. */
const OFFSET = 14;

/** Says beside the pointer why the connection that is being drawn cannot lead to the step below it. */
export function RefusalHint({ scene, from }: { scene: Scene; from: Omit<Ends, "target"> | undefined }) {
  const [said, setSaid] = useState<Point & { text: string }>();
  const flow = useStoreApi();
  useEffect(() => {
    if (!from) {
      const timer = setTimeout(() => setSaid(undefined), STAYS_MS);
      return () => clearTimeout(timer);
    }
    const look = ({ clientX: x, clientY: y }: PointerEvent) => {
      const target = stepAt({ x, y });
      // The connection starts at this step itself.
      const refusal =
        target === undefined || target === from.source
          ? undefined
          : whyNot(scene.doc.getState(), { ...from, target }, scene.startsRun);
      const { left = 0, top = 0 } = flow.getState().domNode?.getBoundingClientRect() ?? {};
      setSaid(refusal && { text: words.refusal[refusal], x: x - left, y: y - top });
    };
    addEventListener("pointermove", look);
    return () => removeEventListener("pointermove", look);
  }, [scene, from, flow]);
  if (!said) return null;
  return (
    // Screen readers are told when the connection is dropped.
    <div className={styles.refusal} style={{ left: said.x + OFFSET, top: said.y + OFFSET }} aria-hidden>
      {said.text}
    </div>
  );
}
