import { type SyntheticEvent, useState } from "react";
import { type KnowledgeBase, useSaveBase } from "../../data/knowledge.ts";
import { faultAt, problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-knowledge.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { ProblemNotice } from "../../ui/states.tsx";

interface BaseDialogProps {
  /** The base to change. Undefined for a new one. */
  base?: { id: string; name: string; description: string } | undefined;
  onSaved: (base: KnowledgeBase) => void;
  onClose: () => void;
}

/** Creates a knowledge base, or changes the name and description of one. */
export function BaseDialog({ base, onSaved, onClose }: BaseDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const save = useSaveBase(workspaceId, base?.id);
  const [name, setName] = useState(base?.name ?? "");
  const [description, setDescription] = useState(base?.description ?? "");
  const { error } = save;
  const [nameFault, textFault] = [faultAt(error, "/name"), faultAt(error, "/description")];
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    save.mutate({ name, description }, { onSuccess: onSaved });
  };
  return (
    <Dialog open onClose={onClose} title={base ? words.editTitle : words.makeTitle}>
      <form className={forms.form} onSubmit={submit}>
        {error && !nameFault && !textFault ? <ProblemNotice problem={problemOf(error)} /> : null}
        <TextField
          label={words.name}
          hint={words.nameHint}
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          error={nameFault}
          onChange={event => setName(event.target.value)}
        />
        <TextArea
          label={words.description}
          rows={3}
          value={description}
          error={textFault}
          onChange={event => setDescription(event.target.value)}
        />
        <DialogFooter>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" busy={save.isPending}>
            {base ? words.save : words.create}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
