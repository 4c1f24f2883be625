import { Pencil, X } from "lucide-react";
import { useState } from "react";
import { words } from "../../messages/en-inspector.ts";
import { m } from "../../messages/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { useBuilder } from "../builder-context.tsx";
import { isDisabled, setDisabled, setName, typeOf as nodeTypeOf, useNode } from "../document/index.ts";
import styles from "./inspector.module.css";
import { RenameDialog } from "./rename-dialog.tsx";

/** The name of a step, its id and type, and whether it is switched off. */
export function InspectorHead({ nodeId, onClose }: { nodeId: string; onClose: () => void }) {
  const { doc, typeOf, readOnly } = useBuilder();
  const node = useNode(doc, nodeId);
  const [renaming, setRenaming] = useState(false);
  const type = nodeTypeOf(node);
  const info = typeOf(type);
  return (
    <header className={styles.head}>
      <div className={styles.titles}>
        <input
          className={styles.name}
          aria-label={words.stepName}
          placeholder={nodeId}
          maxLength={200}
          readOnly={readOnly}
          value={typeof node?.name === "string" ? node.name : ""}
          onChange={event => doc.apply(setName(nodeId, event.target.value))}
        />
        <p className={styles.type}>
          <span>{info?.title ?? type}</span>
          <code className={styles.id} title={nodeId}>
            {nodeId}
          </code>
          {readOnly ? null : (
            <IconButton label={words.editId} size="small" className={styles.tiny} onClick={() => setRenaming(true)}>
              <Pencil size={12} aria-hidden />
            </IconButton>
          )}
          <label className={styles.off} title={words.disableHint}>
            <input
              type="checkbox"
              disabled={readOnly}
              checked={isDisabled(node)}
              onChange={event => doc.apply(setDisabled([nodeId], event.target.checked))}
            />
            {words.disable}
          </label>
        </p>
      </div>
      <IconButton label={m.close} size="small" onClick={onClose}>
        <X size={16} aria-hidden />
      </IconButton>
      {renaming ? <RenameDialog nodeId={nodeId} onClose={() => setRenaming(false)} /> : null}
    </header>
  );
}
