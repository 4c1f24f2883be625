import { CircleHelp } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { installationQuery } from "../data/workspaces.ts";
import { m } from "../messages/index.ts";
import { IconButton } from "../ui/button.tsx";
import { Keys } from "../ui/kbd.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { useDocsPage } from "./docs.ts";
import { useCommands } from "./shortcuts.ts";

const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"), "ShortcutsDialog");

export function HelpMenu() {
  const [open, setOpen] = useState(false);
  const page = useDocsPage();
  const { data } = useQuery(installationQuery);
  useCommands([
    { id: "help", title: m.shell.docsOfPage, keys: "?", run: () => void window.open(page, "_blank", "noopener") },
    { id: "keys", title: m.shell.shortcuts, keys: "mod /", run: () => setOpen(true) },
  ]);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label={m.shell.help}>
            <CircleHelp size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem href={page} aside={<Keys keys="?" />}>
          {m.shell.docsOfPage}
        </MenuItem>
        <MenuItem href="/docs">{m.shell.documentation}</MenuItem>
        <MenuItem href="/docs/reference">{m.shell.apiReference}</MenuItem>
        <MenuItem aside={<Keys keys="mod /" />} onSelect={() => setOpen(true)}>
          {m.shell.shortcuts}
        </MenuItem>
        {data ? (
          <>
            <MenuSeparator />
            <MenuItem disabled>{m.shell.version(data.version)}</MenuItem>
          </>
        ) : null}
      </Menu>
      {open ? (
        <Suspense fallback={null}>
          <ShortcutsDialog onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
