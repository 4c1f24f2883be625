import { Ellipsis, Pencil, X } from "lucide-react";
import { useState } from "react";
import { words as builderWords } from "../../messages/en-builder.ts";
import { words } from "../../messages/en-inspector.ts";
import { m } from "../../messages/index.ts";
import { IconButton } from "../../ui/button.tsx";
import { Keys } from "../../ui/kbd.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { useBuilder } from "../builder-context.tsx";
import { handleOf, isDisabled, setDisabled, setName, typeOf as nodeTypeOf, useDocumentOf } from "../document/index.ts";
import type { InsertPosition, Scene } from "../scene.ts";
import { type SelectionAction, selectionActions } from "../selection-actions.ts";
import styles from "./inspector.module.css";
import { RenameDialog } from "./rename-dialog.tsx";

function NameField({ nodeId }: { nodeId: string }) {
  const { doc, readOnly } = useBuilder();
  const name = useDocumentOf(doc, ({ nodes }) => nodes.get(nodeId)?.name);
  return (
    <input
      className={styles.name}
      aria-label={words.stepName}
      placeholder={nodeId}
      maxLength={200}
      readOnly={readOnly}
      value={typeof name === "string" ? name : ""}
      onChange={event => doc.apply(setName(nodeId, event.target.value))}
    />
  );
}

/** The commands for the step, for users without keys or a canvas at hand. */
function StepMenu({ scene, nodeId }: { scene: Scene; nodeId: string }) {
  const { workspaceId, runFrom } = useBuilder();
  const own = selectionActions(scene, workspaceId);
  // Steps and edges change while the menu is closed.
  useDocumentOf(scene.doc, ({ edges }) => edges);
  const connect = () => scene.set({ prompt: { kind: "connect", source: nodeId } });
  const add = (title: string, where: InsertPosition): SelectionAction => [
    title,
    "",
    () => scene.set({ prompt: { kind: "add", where } }),
  ];
  const used = new Set(scene.outgoing(nodeId).map(handleOf));
  const free = scene.handles(nodeId).filter(({ id }) => !used.has(id));
  const rows: readonly (SelectionAction | false | undefined)[] = [
    runFrom && [builderWords.runFrom, "mod shift enter", () => runFrom(nodeId)],
    scene.isContainer(nodeId) && add(builderWords.addInside, { inside: nodeId }),
    ...free.map(({ id, title }) =>
      add(builderWords.addNext(id === "out" ? undefined : title), { after: { id: nodeId, handle: id } }),
    ),
    scene.handles(nodeId).length > 0 && [builderWords.connect, "c", connect],
    own.copy,
    own.duplicate,
    own.extract,
  ];
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={builderWords.acts} size="small">
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      }
    >
      {rows.map(row =>
        row ? (
          <MenuItem key={row[0]} aside={row[1] ? <Keys keys={row[1]} /> : null} onSelect={row[2]}>
            {row[0]}
          </MenuItem>
        ) : null,
      )}
      <MenuSeparator />
      <MenuItem danger aside={<Keys keys={own.remove[1]} />} onSelect={own.remove[2]}>
        {own.remove[0]}
      </MenuItem>
    </Menu>
  );
}

/** The name of a step, its id and type, and whether it is disabled. */
export function InspectorHead({ scene, nodeId, onClose }: { scene: Scene; nodeId: string; onClose: () => void }) {
  const { doc, typeOf, readOnly } = useBuilder();
  const type = useDocumentOf(doc, ({ nodes }) => nodeTypeOf(nodes.get(nodeId)));
  const disabled = useDocumentOf(doc, ({ nodes }) => isDisabled(nodes.get(nodeId)));
  const [renaming, setRenaming] = useState(false);
  const info = typeOf(type);
  return (
    <header className={styles.head}>
      <div className={styles.titles}>
        <NameField nodeId={nodeId} />
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
              checked={disabled}
              onChange={event => doc.apply(setDisabled([nodeId], event.target.checked))}
            />
            {words.disable}
          </label>
        </p>
      </div>
      {readOnly ? null : <StepMenu scene={scene} nodeId={nodeId} />}
      <IconButton label={m.close} size="small" onClick={onClose}>
        <X size={16} aria-hidden />
      </IconButton>
      {renaming ? <RenameDialog nodeId={nodeId} onClose={() => setRenaming(false)} /> : null}
    </header>
  );
}
