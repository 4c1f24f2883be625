import { m } from "../messages/index.ts";
import { words } from "../messages/en-builder.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import styles from "./builder-parts.module.css";
import { nameOf } from "./document/index.ts";
import type { Scene } from "./scene.ts";
import type { PasteRemark } from "./view.ts";

/** Lists what the user should check after a paste from n8n. A point about a step leads to the step. */
export function ConvertedDialog({
  scene,
  remarks,
  onClose,
}: {
  scene: Scene;
  remarks: readonly PasteRemark[];
  onClose: () => void;
}) {
  const state = scene.doc.getState();
  const close = () => {
    onClose();
    scene.focus();
  };
  return (
    <Dialog
      open
      wide
      onClose={close}
      title={words.converted}
      description={words.convertedText}
      actions={
        <Button tone="primary" onClick={close}>
          {m.close}
        </Button>
      }
    >
      <ul className={styles.points}>
        {remarks.map(({ id, node, message }, n) => (
          <li key={n}>
            {id === undefined ? (
              <b className={styles.label}>{node}</b>
            ) : (
              <button
                type="button"
                onClick={() => {
                  scene.select([id]);
                  close();
                }}
              >
                {nameOf(state, id)}
              </button>
            )}
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
