import { m } from "../messages/index.ts";
import { words } from "../messages/en-builder.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import styles from "./builder-parts.module.css";
import { nameOf } from "./document/index.ts";
import type { Scene } from "./scene.ts";

const BEFORE_TEXT = ": ";

/** Lists what the user should check after a paste from n8n. A point about a step leads to the step. */
export function ConvertedDialog({
  scene,
  warnings,
  onClose,
}: {
  scene: Scene;
  warnings: readonly string[];
  onClose: () => void;
}) {
  const state = scene.doc.getState();
  const byName = new Map([...state.nodes.keys()].map(id => [nameOf(state, id), id]));
  const close = () => {
    onClose();
    scene.focus();
  };
  const rows = warnings.map(warning => {
    const [name = "", ...rest] = warning.split(BEFORE_TEXT);
    const id = byName.get(name);
    return id === undefined ? { text: warning } : { id, name, text: rest.join(BEFORE_TEXT) };
  });
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
        {rows.map(({ id, name, text }, n) => (
          <li key={n}>
            {id === undefined ? null : (
              <button
                type="button"
                onClick={() => {
                  scene.select([id]);
                  close();
                }}
              >
                {name}
              </button>
            )}
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
