import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, Plus } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import type { Workspace } from "../../sdk/definition.ts";
import { problemOf } from "../data/problem.ts";
import { createWorkspace, workspacesQuery } from "../data/workspaces.ts";
import { m } from "../messages/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Mark } from "../ui/mark.tsx";
import { Menu, MenuChoice, MenuGroup, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import styles from "./workspace-switcher.module.css";

function NewWorkspace({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [name, setName] = useState("");
  const navigate = useNavigate();
  const create = useMutation({ mutationFn: createWorkspace, meta: { shown: true } });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    create.mutate(name.trim(), {
      onSuccess: ({ slug }) => {
        onClose();
        setName("");
        void navigate({ to: "/w/$w", params: { w: slug } });
      },
    });
  };
  return (
    <Dialog
      open={open}
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

/** The current workspace, and the way to the others. */
export function WorkspaceSwitcher({ current }: { current: Workspace | undefined }) {
  const { data = [] } = useQuery(workspacesQuery);
  const [creating, setCreating] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Menu
        trigger={
          <button type="button" className={styles.switcher}>
            <span className="visually-hidden">{m.shell.switchWorkspace}</span>
            {current ? <Avatar name={current.name} size={24} square /> : <Mark size={24} />}
            <span className={styles.name} data-text>
              {current?.name ?? m.appName}
            </span>
            <ChevronsUpDown size={14} aria-hidden data-text />
          </button>
        }
      >
        <MenuGroup label={m.shell.switchWorkspace}>
          {data.map(({ id, slug, name, role }) => (
            <MenuChoice
              key={id}
              checked={id === current?.id}
              aside={m.role[role]}
              onSelect={() => void navigate({ to: "/w/$w", params: { w: slug } })}
            >
              {name}
            </MenuChoice>
          ))}
        </MenuGroup>
        <MenuSeparator />
        <MenuItem icon={<Plus size={16} aria-hidden />} onSelect={() => setCreating(true)}>
          {m.shell.newWorkspace}
        </MenuItem>
      </Menu>
      <NewWorkspace open={creating} onClose={() => setCreating(false)} />
    </>
  );
}
