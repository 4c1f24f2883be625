import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { problemOf } from "../data/problem.ts";
import { createWorkspace } from "../data/workspaces.ts";
import { m } from "../messages/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";

/** Asks for a name, creates the workspace and opens it. */
export default function NewWorkspace({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const navigate = useNavigate();
  const create = useMutation({ mutationFn: createWorkspace, meta: { shown: true } });
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
          <Button tone="primary" type="submit" form="new-workspace" busy={create.isPending} disabled={!name.trim()}>
            {m.shell.create}
          </Button>
        </>
      }
    >
      <form id="new-workspace" onSubmit={submit}>
        <TextField
          label={m.shell.workspaceName}
          value={name}
          maxLength={200}
          autoComplete="off"
          onChange={event => setName(event.target.value)}
          error={create.error ? problemOf(create.error).title : undefined}
        />
      </form>
    </Dialog>
  );
}
