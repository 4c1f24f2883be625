import { type SyntheticEvent, useState } from "react";
import { faultAt, problemOf } from "../../data/problem.ts";
import { type Named, useName } from "../../data/spaces.ts";
import { words } from "../../messages/en-spaces.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

interface NameDialogProps {
  title: string;
  what: Named;
  /** Its current name. Undefined for a new one. */
  before?: string | undefined;
  onClose: () => void;
}

/** Creates or renames a pod or a space. */
export function NameDialog({ title, what, before, onClose }: NameDialogProps) {
  const { id } = useWorkspace();
  const [name, setName] = useState(before ?? "");
  const save = useName(id);
  const typed = name.trim();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (typed === before) return onClose();
    save.mutate(
      { what, name: typed },
      {
        onSuccess: () => {
          toast.done(before === undefined ? words.created(typed) : words.renamed(typed));
          onClose();
        },
      },
    );
  };
  const { error } = save;
  const fault = faultAt(error, "/name");
  return (
    <Dialog open onClose={onClose} title={title}>
      <form className={forms.form} onSubmit={submit}>
        {error && !fault ? <ProblemNotice problem={problemOf(error)} /> : null}
        <TextField
          label={words.name}
          hint={what.kind === "pod" && before === undefined ? words.newPodHint : undefined}
          required
          maxLength={200}
          autoComplete="off"
          value={name}
          error={fault}
          onChange={event => setName(event.target.value)}
        />
        <DialogFooter>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" busy={save.isPending}>
            {before === undefined ? words.create : m.save}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
