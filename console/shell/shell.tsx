import { Link, useNavigate, useParams, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon, PanelLeftClose, PanelLeftOpen, Search } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { Workspace } from "../../sdk/definition.ts";
import { m } from "../messages/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Drawer } from "../ui/drawer.tsx";
import { Keys } from "../ui/kbd.tsx";
import { bufferKeys, takeBufferedKeys } from "../ui/key-buffer.ts";
import { MissingSearchContext } from "../ui/missing-search.ts";
import { toast } from "../ui/toast.tsx";
import { Tooltip } from "../ui/tooltip.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Bell } from "./bell.tsx";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { HelpMenu } from "./help.tsx";
import { NAVIGATION, type NavigationEntry } from "./navigation.ts";
import styles from "./shell.module.css";
import { useCommands, useShortcutKeys } from "./shortcuts.ts";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

const loadPalette = () => import("./palette.tsx");
/** The delay after which the palette is preloaded. */
const PRELOAD_MS = 1_500;

const COLLAPSED = "weft:rail-collapsed";

function NavLink({ place, w, onNavigate }: { place: NavigationEntry; w: string; onNavigate?: () => void }) {
  const Icon = place.icon;
  const holds = useRouterState({
    select: ({ matches }) => matches.some(({ staticData }) => staticData.place === place.id),
  });
  return (
    <Link
      {...(holds && { "aria-current": "page" as const })}
      to={place.to}
      params={{ w, ...place.params }}
      className={styles.place}
      activeOptions={{ exact: place.id === "home" }}
      activeProps={{ "aria-current": "page" }}
      onClick={() => onNavigate?.()}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <span className={styles.placeName}>{place.title}</span>
    </Link>
  );
}

function Places({ workspace, onNavigate }: { workspace: Workspace; onNavigate?: () => void }) {
  return (
    <nav aria-label={m.shell.navigation} className={styles.places}>
      {NAVIGATION.map(place => (
        <NavLink key={place.id} place={place} w={workspace.slug} {...(onNavigate && { onNavigate })} />
      ))}
    </nav>
  );
}

/** The frame around every page that needs a sign-in. */
export function Shell({ workspace, children }: { workspace: Workspace | undefined; children: ReactNode }) {
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(COLLAPSED) === "yes");
  const [drawer, setDrawer] = useState(false);
  const [Palette, setPalette] = useState<Awaited<ReturnType<typeof loadPalette>>["default"]>();
  const navigate = useNavigate();
  const { id, a: first } = useParams({ strict: false });
  const named = workspace ? (id ?? first) : undefined;
  const openPalette = (start?: string) => {
    bufferKeys(start);
    // Not with `lazy`: React delays the first display of a lazy component, and keys that are pressed meanwhile are lost.
    loadPalette().then(
      module => setPalette(() => module.default),
      () => {
        takeBufferedKeys();
        toast.failed(m.problem.offline, m.problem.offlineDetail);
      },
    );
  };
  useEffect(() => {
    // If the preload fails, the palette is loaded when it is opened.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  useShortcutKeys();
  useCommands([
    { id: "palette", title: m.shell.search, keys: "mod k", run: () => openPalette() },
    ...(workspace
      ? NAVIGATION.map(({ id, to, params, title, key }) => ({
          id: `go-${id}`,
          title,
          keys: `g ${key}`,
          run: () => void navigate({ to, params: { w: workspace.slug, ...params } }),
        }))
      : []),
  ]);
  const toggle = () => {
    localStorage.setItem(COLLAPSED, collapsed ? "no" : "yes");
    setCollapsed(!collapsed);
  };
  return (
    <div className={styles.shell} data-collapsed={collapsed || undefined}>
      <a className={styles.skip} href="#content">
        {m.skipToContent}
      </a>
      <aside className={styles.rail}>
        <WorkspaceSwitcher current={workspace} />
        {workspace ? <Places workspace={workspace} /> : null}
        <div className={styles.railEnd}>
          <AccountMenu />
          <Tooltip text={collapsed ? m.shell.expand : m.shell.collapse} side="right">
            <IconButton
              className={styles.collapse}
              size="small"
              label={collapsed ? m.shell.expand : m.shell.collapse}
              onClick={toggle}
            >
              {collapsed ? <PanelLeftOpen size={16} aria-hidden /> : <PanelLeftClose size={16} aria-hidden />}
            </IconButton>
          </Tooltip>
        </div>
      </aside>
      <div className={styles.main}>
        <header className={styles.bar}>
          <IconButton className={styles.menuButton} label={m.shell.openMenu} onClick={() => setDrawer(true)}>
            <MenuIcon size={18} aria-hidden />
          </IconButton>
          <Breadcrumbs workspace={workspace} />
          <div className={styles.tools}>
            <Button className={styles.search} icon={<Search size={14} aria-hidden />} onClick={() => openPalette()}>
              <span className={styles.searchText}>{m.shell.search}</span>
              <Keys keys="mod k" />
            </Button>
            <Bell />
            <HelpMenu />
          </div>
        </header>
        <main id="content" className={styles.content} tabIndex={-1}>
          <MissingSearchContext
            value={named === undefined ? undefined : { text: named, open: () => openPalette(named) }}
          >
            {children}
          </MissingSearchContext>
        </main>
        {workspace ? (
          <nav aria-label={m.shell.navigation} className={styles.bottom}>
            {NAVIGATION.filter(({ wide }) => !wide).map(place => (
              <NavLink key={place.id} place={place} w={workspace.slug} />
            ))}
          </nav>
        ) : null}
      </div>
      <Drawer open={drawer} onClose={() => setDrawer(false)} title={m.appName}>
        <WorkspaceSwitcher current={workspace} />
        {workspace ? <Places workspace={workspace} onNavigate={() => setDrawer(false)} /> : null}
        <div className={cx(styles.railEnd, styles.drawerEnd)}>
          <AccountMenu />
        </div>
      </Drawer>
      {Palette ? <Palette workspace={workspace} onClose={() => setPalette(undefined)} /> : null}
    </div>
  );
}
