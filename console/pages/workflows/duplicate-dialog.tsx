import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { builderSpot } from "../../data/paths.ts";
import { faultAt, problemOf } from "../../data/problem.ts";
import { podsQuery, spaceLabel, spacesQuery } from "../../data/spaces.ts";
import { useDuplicate } from "../../data/workflow-acts.ts";
import type { WorkflowRow } from "../../data/workflows.ts";
import { words } from "../../messages/en-workflow-acts.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogEnds } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { Select } from "../../ui/select.tsx";
import { toast } from "../../ui/toast.tsx";

const MAX_NAME = 200;

/** Copies a workflow, into its own space or another one, and opens the copy. */
export default function DuplicateDialog({ workflow, onClose }: { workflow: WorkflowRow; onClose: () => void }) {
  const { id: workspaceId, slug } = useWorkspace();
  const navigate = useNavigate();
  const { data: spaces = [] } = useQuery(spacesQuery(workspaceId));
  const { data: pods = [] } = useQuery(podsQuery(workspaceId));
  const [name, setName] = useState(words.copyOf(workflow.name).slice(0, MAX_NAME));
  const [spaceId, setSpaceId] = useState(workflow.spaceId);
  const duplicate = useDuplicate(workspaceId);
  const { error } = duplicate;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    duplicate.mutate(
      { at: workflow, name: name.trim(), spaceId },
      {
        onSuccess: copy => {
          toast.done(words.duplicated(copy.name));
          onClose();
          void navigate(builderSpot(slug, copy));
        },
      },
    );
  };
  return (
    <Dialog open onClose={onClose} title={words.duplicateTitle(workflow.name)} description={words.duplicateLead}>
      <form className={forms.form} onSubmit={submit}>
        <TextField
          label={words.name}
          required
          maxLength={MAX_NAME}
          autoComplete="off"
          value={name}
          error={error ? (faultAt(error, "/name") ?? problemOf(error).title) : undefined}
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
        <DialogEnds>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button type="submit" tone="primary" busy={duplicate.isPending} disabled={name.trim() === ""}>
            {words.duplicate}
          </Button>
        </DialogEnds>
      </form>
    </Dialog>
  );
}
