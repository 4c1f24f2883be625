import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { faultAt, problemOf } from "../../data/problem.ts";
import { podsQuery, spaceLabel, spacesQuery } from "../../data/spaces.ts";
import { words } from "../../messages/en-workflow-acts.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { Select } from "../../ui/select.tsx";
import { ProblemNotice } from "../../ui/states.tsx";

const MAX_NAME = 200;

interface Props {
  title: string;
  lead: string;
  /** The label of the button. */
  confirm: string;
  /** The suggested name. */
  name: string;
  spaceId: string;
  busy: boolean;
  error: Error | null;
  onSubmit: (copy: { name: string; spaceId: string }) => void;
  onClose: () => void;
}

/** Asks for the name and the space of a copied workflow. */
export function CopyDialog({ title, lead, confirm, busy, error, onSubmit, onClose, ...first }: Props) {
  const { id: workspaceId } = useWorkspace();
  const { data: spaces = [] } = useQuery(spacesQuery(workspaceId));
  const { data: pods = [] } = useQuery(podsQuery(workspaceId));
  const [name, setName] = useState(first.name.slice(0, MAX_NAME));
  const [spaceId, setSpaceId] = useState(first.spaceId);
  const fault = faultAt(error, "/name");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onSubmit({ name: name.trim(), spaceId });
  };
  return (
    <Dialog open onClose={onClose} title={title} description={lead}>
      <form className={forms.form} onSubmit={submit}>
        {error && !fault ? <ProblemNotice problem={problemOf(error)} /> : null}
        <TextField
          label={words.name}
          required
          maxLength={MAX_NAME}
          autoComplete="off"
          value={name}
          error={fault}
          onChange={event => setName(event.target.value)}
        />
        {spaces.length > 1 ? (
          <Select
            label={words.space}
            value={spaceId}
            options={spaces.map(space => ({ value: space.id, label: spaceLabel(space, pods) }))}
            onChange={setSpaceId}
          />
        ) : null}
        <DialogFooter>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button type="submit" tone="primary" busy={busy}>
            {confirm}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
