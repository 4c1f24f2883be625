import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import styles from "./builder.module.css";
import type { Scene } from "./scene.ts";

/** The fields of a step's form, without the buttons beside their labels; or the acts for many steps. */
const FIELDS = ":is(input, select, textarea, [role=textbox], [aria-haspopup], [data-act]):not(:disabled, [hidden])";

/** The region of the inspector. Enter on the canvas leads to its first field, and Escape leads back. */
export function InspectorRegion({ scene, children }: { scene: Scene; children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const at = region.current;
    const field = () => at?.querySelector<HTMLElement>(`[data-form] ${FIELDS}`);
    // The form may still be loading. The focus moves when it appears.
    const coming = new MutationObserver(() => {
      const found = field();
      if (!found) return;
      coming.disconnect();
      if (document.activeElement?.matches("[role=application]")) found.focus();
    });
    scene.attachForm(() => {
      const found = field();
      if (found) found.focus();
      else if (at) coming.observe(at, { childList: true, subtree: true });
    });
    scene.attachTest(() => at?.querySelector<HTMLElement>("[data-test-step]")?.click());
    return () => {
      coming.disconnect();
      scene.attachTest(() => undefined);
      scene.attachForm(() => undefined);
    };
  }, [scene]);
  const onKeyDown = (event: KeyboardEvent) => {
    // React also reports events of dialogs that the inspector opened, although these are elsewhere in the page.
    const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (event.key !== "Escape" || event.defaultPrevented || !isOwn) return;
    event.preventDefault();
    scene.focus();
  };
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- keys come from what is inside
    <div ref={region} className={styles.side} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
