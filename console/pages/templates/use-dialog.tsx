import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { builderSpot } from "../../data/paths.ts";
import { faultAt, problemOf } from "../../data/problem.ts";
import { podsQuery, spaceLabel, spacesQuery } from "../../data/spaces.ts";
import type { Template } from "../../data/templates.ts";
import { useUseTemplate } from "../../data/workflows.ts";
import { words } from "../../messages/en-templates.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogEnds } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { Select } from "../../ui/select.tsx";
import { toast } from "../../ui/toast.tsx";

const MAX_NAME = 200;

interface Props {
  template: Template;
  /** The space that is offered first; otherwise the default one. */
  spaceId: string | undefined;
  onClose: () => void;
}

/** Asks for a name and a space, copies a template there, and opens it ready to run with its example. */
export default function UseDialog({ template, spaceId, onClose }: Props) {
  const { id: workspaceId, slug } = useWorkspace();
  const navigate = useNavigate();
  const { data: spaces = [] } = useQuery(spacesQuery(workspaceId));
  const { data: pods = [] } = useQuery(podsQuery(workspaceId));
  const [name, setName] = useState(template.name);
  // The default space has the id of its workspace.
  const [space, setSpace] = useState(spaceId ?? workspaceId);
  const use = useUseTemplate(workspaceId);
  const { error } = use;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    use.mutate(
      { id: template.id, name: name.trim(), spaceId: space },
      {
        onSuccess: workflow => {
          toast.done(words.made(workflow.name));
          void navigate({ ...builderSpot(slug, workflow), search: { run: "1" } });
        },
      },
    );
  };
  return (
    <Dialog open onClose={onClose} title={words.useTitle(template.name)} description={words.useLead}>
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
            value={space}
            options={spaces.map(one => ({ value: one.id, label: spaceLabel(one, pods) }))}
            onChange={setSpace}
          />
        ) : null}
        <DialogEnds>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button type="submit" tone="primary" busy={use.isPending} disabled={name.trim() === ""}>
            {words.create}
          </Button>
        </DialogEnds>
      </form>
    </Dialog>
  );
}
