import { Link } from "@tanstack/react-router";
import { LogOut, ServerCog, UserRound } from "lucide-react";
import { Suspense, useState } from "react";
import { choose, usePreferences } from "../data/preferences.ts";
import { useMe } from "../data/session.ts";
import { m } from "../messages/index.ts";
import { Avatar } from "../ui/avatar.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Menu, MenuChoice, MenuGroup, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import styles from "./workspace-switcher.module.css";

const SignOut = lazy(() => import("./sign-out.tsx"), "SignOut");

const THEMES = ["system", "light", "dark"] as const;

/** The menu of the signed-in user: account, theme and sign-out. */
export function AccountMenu() {
  const { id, name, email, operator } = useMe();
  const { theme } = usePreferences();
  const [leaving, setLeaving] = useState(false);
  return (
    <>
      <Menu
        side="top"
        trigger={
          <button type="button" className={styles.switcher}>
            <span className="visually-hidden">{m.shell.account}</span>
            <Avatar name={name ?? email} size={24} />
            <span className={styles.name} data-text>
              {name ?? email}
            </span>
          </button>
        }
      >
        <MenuGroup label={email}>
          <MenuItem icon={<UserRound size={16} aria-hidden />} render={<Link to="/me" />}>
            {m.places.me}
          </MenuItem>
          {operator ? (
            <MenuItem
              icon={<ServerCog size={16} aria-hidden />}
              render={<Link to="/operator/$tab" params={{ tab: "status" }} />}
            >
              {m.places.operator}
            </MenuItem>
          ) : null}
        </MenuGroup>
        <MenuSeparator />
        <MenuGroup label={m.shell.theme}>
          {THEMES.map(one => (
            <MenuChoice key={one} checked={one === theme} onSelect={() => void choose({ theme: one })}>
              {m.shell.themes[one]}
            </MenuChoice>
          ))}
        </MenuGroup>
        <MenuSeparator />
        <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={() => setLeaving(true)}>
          {m.shell.signOut}
        </MenuItem>
      </Menu>
      <Suspense fallback={null}>{leaving ? <SignOut userId={id} onStay={() => setLeaving(false)} /> : null}</Suspense>
    </>
  );
}
