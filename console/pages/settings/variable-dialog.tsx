import { type SyntheticEvent, useState } from "react";
import { jsonOf } from "../../data/json-text.ts";
import { faultUnder, problemOf } from "../../data/problem.ts";
import { useChangeVariables } from "../../data/variables.ts";
import { words } from "../../messages/en-variables.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

/** The variable that is being set. A new one has no name. */
export interface Edited {
  name?: string;
  value?: unknown;
}

interface VariableDialogProps {
  edited: Edited;
  spaceId: string | undefined;
  /** The names that are already set here. */
  taken: readonly string[];
  onClose: () => void;
}

/** Sets a variable of the workspace or of a space. */
export function VariableDialog({ edited, spaceId, taken, onClose }: VariableDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const change = useChangeVariables(workspaceId, spaceId);
  const isNew = edited.name === undefined;
  const [name, setName] = useState(edited.name ?? "");
  const [text, setText] = useState(isNew ? "" : JSON.stringify(edited.value, null, 2));
  const [tried, setTried] = useState(false);
  const isTaken = isNew && taken.includes(name);
  const { error } = change;
  const fault = error ? faultUnder(error, "/set") : undefined;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (isTaken) return;
    // Text without quotes that is not JSON is taken as text.
    const parsed = text.trim() === "" ? { value: "" } : (jsonOf(text) ?? { value: text });
    const onSuccess = () => {
      toast.done(words.saved(name));
      onClose();
    };
    change.mutate({ set: { [name]: parsed.value } }, { onSuccess });
  };
  return (
    <Dialog open onClose={onClose} title={isNew ? words.addTitle : words.editTitle(name)}>
      <form className={forms.form} onSubmit={submit}>
        {error && !fault ? <ProblemNotice problem={problemOf(error)} /> : null}
        {isNew ? (
          <TextField
            label={words.name}
            hint={words.nameHint}
            required
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            value={name}
            error={tried && isTaken ? words.nameTaken : fault}
            onChange={event => setName(event.target.value)}
          />
        ) : null}
        <TextArea
          code
          label={words.value}
          hint={words.valueHint}
          rows={4}
          spellCheck={false}
          value={text}
          error={isNew ? undefined : fault}
          onChange={event => setText(event.target.value)}
        />
        <DialogFooter>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" busy={change.isPending}>
            {words.save}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
