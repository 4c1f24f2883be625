import { CircleHelp } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { installationQuery } from "../data/workspaces.ts";
import { m } from "../messages/index.ts";
import { IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/kbd.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import styles from "./help.module.css";
import { PLACES } from "./places.ts";
import { useCommands } from "./shortcuts.ts";

const ROWS: readonly [string, string][] = [
  ["mod k", m.shortcut.palette],
  ["/", m.shortcut.filter],
  ["j", m.shortcut.next],
  ["k", m.shortcut.previous],
  ["x", m.shortcut.mark],
  ["enter", m.shortcut.open],
  ["?", m.shortcut.help],
];

export function HelpMenu() {
  const [open, setOpen] = useState(false);
  const { data } = useQuery(installationQuery);
  useCommands([{ id: "help", title: m.shell.shortcuts, keys: "?", run: () => setOpen(true) }]);
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
        <MenuItem href="/docs">{m.shell.documentation}</MenuItem>
        <MenuItem href="/docs/reference">{m.shell.apiReference}</MenuItem>
        <MenuItem aside={<Keys keys="?" />} onSelect={() => setOpen(true)}>
          {m.shell.shortcuts}
        </MenuItem>
        {data ? (
          <>
            <MenuSeparator />
            <MenuItem disabled>{m.shell.version(data.version)}</MenuItem>
          </>
        ) : null}
      </Menu>
      <Dialog open={open} onClose={() => setOpen(false)} title={m.shell.shortcuts} description={m.shortcut.off}>
        <dl className={styles.keys}>
          {ROWS.map(([keys, text]) => (
            <div key={keys}>
              <dt>{text}</dt>
              <dd>
                <Keys keys={keys} />
              </dd>
            </div>
          ))}
          {PLACES.map(({ id, title, key }) => (
            <div key={id}>
              <dt>{title}</dt>
              <dd>
                <Keys keys={`g ${key}`} />
              </dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  );
}
