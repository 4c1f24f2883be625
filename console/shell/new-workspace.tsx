import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { faultAt, problemOf } from "../data/problem.ts";
import { createWorkspace } from "../data/workspaces.ts";
import { m } from "../messages/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import forms from "../ui/form.module.css";
import { ProblemNotice } from "../ui/states.tsx";

/** Asks for a name, creates the workspace and opens it. */
export default function NewWorkspace({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const navigate = useNavigate();
  const create = useMutation({ mutationFn: createWorkspace, meta: { shown: true } });
  const fault = faultAt(create.error, "/name");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    create.mutate(name.trim(), {
      onSuccess: ({ slug }) => {
        onClose();
        void navigate({ to: "/w/$w", params: { w: slug } });
      },
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={m.shell.newWorkspace}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" form="new-workspace" busy={create.isPending}>
            {m.shell.create}
          </Button>
        </>
      }
    >
      <form id="new-workspace" className={forms.form} onSubmit={submit}>
        {create.error && !fault ? <ProblemNotice problem={problemOf(create.error)} /> : null}
        <TextField
          label={m.shell.workspaceName}
          required
          value={name}
          maxLength={200}
          autoComplete="off"
          onChange={event => setName(event.target.value)}
          error={fault}
        />
      </form>
    </Dialog>
  );
}
