import { words } from "../../messages/en-inspector.ts";
import styles from "./inspector.module.css";
import type { useWidth } from "./use-width.ts";

/** The edge of the inspector, by which pointer and arrow keys change its width. */
export function WidthEdge({ width, edge, least, most }: ReturnType<typeof useWidth>) {
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={words.width}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator that can be moved is a control
      tabIndex={0}
      className={styles.edge}
      {...edge}
    />
  );
}
