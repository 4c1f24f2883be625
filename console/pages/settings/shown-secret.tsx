import { settings as words } from "../../messages/en-settings.ts";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { DialogFooter, KeepOpen } from "../../ui/dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import styles from "./settings.module.css";

/** The end of a dialog that created a link or a key: the value, which is shown only once. */
export function ShownSecret({
  lead,
  label,
  value,
  act,
  onClose,
}: Record<"lead" | "label" | "value", string> & {
  /** A button that passes the value on, beside the button that closes. */
  act?: ReactNode;
  onClose: () => void;
}) {
  return (
    <div className={styles.form}>
      <KeepOpen />
      <p>{lead}</p>
      <ShownOnce value={value} label={label} />
      <DialogFooter>
        {act}
        <Button tone="primary" onClick={onClose}>
          {words.keys.stored}
        </Button>
      </DialogFooter>
    </div>
  );
}
