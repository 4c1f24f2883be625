import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown, Plus } from "lucide-react";
import { Suspense, useState } from "react";
import type { Workspace } from "../../sdk/definition.ts";
import { workspacesQuery } from "../data/workspaces.ts";
import { m } from "../messages/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Logo } from "../ui/logo.tsx";
import { Menu, MenuChoice, MenuGroup, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import styles from "./workspace-switcher.module.css";

/** Loaded when it is opened. */
const NewWorkspace = lazy(() => import("./new-workspace.tsx"));

/** The current workspace, with a menu of the others. */
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
            {current ? <Avatar name={current.name} size={24} square /> : <Logo size={24} />}
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
      <Suspense fallback={null}>{creating ? <NewWorkspace onClose={() => setCreating(false)} /> : null}</Suspense>
    </>
  );
}
