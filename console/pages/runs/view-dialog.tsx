import { type SyntheticEvent, useState } from "react";
import { problemOf } from "../../data/problem.ts";
import { type SavedView, useSaveView, useUpdateView } from "../../data/views.ts";
import { views as words } from "../../messages/en-views.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./views-menu.module.css";

interface ViewDialogProps {
  /** The filters of a new view. */
  query: string;
  /** The view that is being renamed or shared. Undefined for a new one. */
  view?: SavedView;
  onClose: () => void;
}

/** Saves the filters of the list as a view, or changes the name and visibility of a view. */
export function ViewDialog({ query, view, onClose }: ViewDialogProps) {
  const { id, role } = useWorkspace();
  const [name, setName] = useState(view?.name ?? "");
  const [shared, setShared] = useState(view?.shared ?? false);
  const save = useSaveView(id);
  const update = useUpdateView(id, { shown: true });
  const { error, isPending } = view ? update : save;
  const canShare = includesRole(role, "editor");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const given = { name: name.trim(), shared };
    const onSuccess = () => {
      toast.done(m.saved);
      onClose();
    };
    if (view) update.mutate({ id: view.id, ...given }, { onSuccess });
    else save.mutate({ ...given, page: "runs", query }, { onSuccess });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={view ? words.edit(view.name) : words.saveTitle}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" form="save-view" busy={isPending}>
            {m.save}
          </Button>
        </>
      }
    >
      <form id="save-view" onSubmit={submit} className={styles.form}>
        <TextField
          label={words.name}
          required
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={event => setName(event.target.value)}
          error={error ? problemOf(error).detail : undefined}
        />
        <label className={styles.share} title={canShare ? undefined : m.needsRole(m.role.editor)}>
          <input
            type="checkbox"
            checked={shared}
            disabled={!canShare}
            onChange={event => setShared(event.target.checked)}
          />
          {words.share}
        </label>
      </form>
    </Dialog>
  );
}
