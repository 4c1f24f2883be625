import { type SyntheticEvent, useState } from "react";
import { words } from "../../messages/en-inspector.ts";
import { m } from "../../messages/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { useBuilder } from "../builder-context.tsx";
import { namedBy, nameOf, renameId } from "../document/index.ts";
import styles from "./inspector.module.css";

const MAX_ID = 200;

/** Changes the id of a step and the expressions that use it. It lists them first. */
export function RenameDialog({ nodeId, onClose }: { nodeId: string; onClose: () => void }) {
  const { doc, typeOf, select } = useBuilder();
  const [id, setId] = useState(nodeId);
  const state = doc.getState();
  const isLiteral = (type: string) => typeOf(type)?.literal ?? false;
  const named = namedBy(state, nodeId, isLiteral);
  const fault =
    id === ""
      ? words.idEmpty
      : id.length > MAX_ID
        ? words.idLong
        : id !== nodeId && state.nodes.has(id)
          ? words.idTaken
          : undefined;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (fault !== undefined) return;
    if (id !== nodeId && doc.apply(renameId(nodeId, id, isLiteral))) select(id);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.idTitle(nodeId)}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" form="rename-step" disabled={fault !== undefined}>
            {words.changeId}
          </Button>
        </>
      }
    >
      <form id="rename-step" className={styles.dialogForm} onSubmit={submit}>
        <TextField
          label={words.newId}
          hint={words.idHint}
          error={fault}
          value={id}
          spellCheck={false}
          autoComplete="off"
          onChange={event => setId(event.target.value)}
        />
        {named.length === 0 ? (
          <p className={styles.quiet}>{words.noRewrites}</p>
        ) : (
          <div>
            <p>{words.rewrites(named.length)}</p>
            <ul className={styles.named}>
              {named.map(one => (
                <li key={one}>
                  {nameOf(state, one)} <code>{one}</code>
                </li>
              ))}
            </ul>
          </div>
        )}
      </form>
    </Dialog>
  );
}
