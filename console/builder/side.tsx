import { X } from "lucide-react";
import { useState } from "react";
import { words } from "../messages/en-builder.ts";
import { IconButton } from "../ui/button.tsx";
import { TextArea, TextField } from "../ui/field.tsx";
import { TypeIcon } from "./canvas/icons.tsx";
import { useBuilder } from "./builder-context.tsx";
import { nameOf, setName, setNodeValue, typeOf, useDocument, useNode } from "./document/index.ts";
import styles from "./side.module.css";

/** The data of a step as JSON. */
function DataField({ nodeId }: { nodeId: string }) {
  const { doc, readOnly } = useBuilder();
  const node = useNode(doc, nodeId);
  const shown = JSON.stringify(node?.data ?? {}, null, 2);
  const [text, setText] = useState(shown);
  const [fault, setFault] = useState<string>();
  const [known, setKnown] = useState(shown);
  // An undo changes what is shown, unless it is what was typed here.
  if (known !== shown) {
    setKnown(shown);
    if (fault === undefined) setText(shown);
  }
  return (
    <TextArea
      code
      label={words.setup}
      rows={18}
      value={text}
      readOnly={readOnly}
      spellCheck={false}
      error={fault}
      onChange={event => {
        setText(event.target.value);
        try {
          const value = JSON.parse(event.target.value) as unknown;
          doc.apply(setNodeValue(nodeId, "/data", value));
          setKnown(JSON.stringify(value, null, 2));
          setFault(undefined);
        } catch (error) {
          setFault(error instanceof Error ? error.message : String(error));
        }
      }}
    />
  );
}

/** What the selected step does. */
export function Side({ nodeId, onClose }: { nodeId: string; onClose: () => void }) {
  const { doc, readOnly, typeOf: infoOf, faults } = useBuilder();
  const state = useDocument(doc);
  const node = state.nodes.get(nodeId);
  const info = infoOf(typeOf(node));
  return (
    <aside className={styles.side} aria-label={nameOf(state, nodeId)}>
      <header className={styles.head}>
        <TypeIcon info={info} type={typeOf(node)} />
        <div className={styles.titles}>
          <h2 className={styles.title}>{nameOf(state, nodeId)}</h2>
          <p className={styles.type}>
            {info?.title ?? typeOf(node)} · <code>{nodeId}</code>
          </p>
        </div>
        <IconButton label={words.close} size="small" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <div className={styles.body}>
        {faults.get(nodeId)?.map(({ path, message }) => (
          <p key={`${path} ${message}`} className={styles.fault}>
            <code>{path}</code> {message}
          </p>
        ))}
        <TextField
          label={words.stepName}
          value={typeof node?.name === "string" ? node.name : ""}
          readOnly={readOnly}
          onChange={event => doc.apply(setName(nodeId, event.target.value))}
        />
        <DataField key={nodeId} nodeId={nodeId} />
      </div>
    </aside>
  );
}
