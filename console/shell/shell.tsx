import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon, PanelLeftClose, PanelLeftOpen, Search } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { Workspace } from "../../sdk/definition.ts";
import { useMe } from "../data/session.ts";
import { workspacesQuery } from "../data/workspaces.ts";
import { m } from "../messages/index.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import cut from "../ui/cut.module.css";
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
import { NAVIGATION, PERSONAL, type Place, wayBack } from "./navigation.ts";
import styles from "./shell.module.css";
import { useCommands, useShortcutKeys } from "./shortcuts.ts";
import { WorkspaceSwitcher } from "./workspace-switcher.tsx";

const loadPalette = () => import("./palette.tsx");
/** The delay after which the palette is preloaded. */
const PRELOAD_MS = 1_500;

/** The places whose paths begin the paths of other places. */
const EXACT = new Set(["home", "me"]);

const COLLAPSED = "weft:rail-collapsed";

/** The places of the workspace. Outside of it, the person's own places and the way back to it. */
function usePlaces(workspace: Workspace | undefined, isInside: boolean): readonly Place[] {
  const { data: workspaces } = useQuery(workspacesQuery);
  const { operator } = useMe();
  if (workspace && isInside)
    return NAVIGATION.map(place => ({ ...place, params: { w: workspace.slug, ...place.params } }));
  if (!workspaces) return [];
  return [...(workspace ? [wayBack(workspace)] : []), ...PERSONAL.filter(({ id }) => operator || id !== "operator")];
}

interface NavLinkProps {
  place: Place;
  /** Shows the icon alone. The name appears when the pointer or the keyboard is on it. */
  isIcon: boolean;
  onNavigate?: () => void;
}

function NavLink({ place, isIcon, onNavigate }: NavLinkProps) {
  const Icon = place.icon;
  const holds = useRouterState({
    select: ({ matches }) => matches.some(({ staticData }) => staticData.place === place.id),
  });
  const name = place.label ?? place.title;
  const link = (
    <Link
      {...(holds && { "aria-current": "page" as const })}
      aria-label={isIcon ? name : place.label}
      to={place.to}
      params={place.params ?? {}}
      className={styles.place}
      activeOptions={{ exact: EXACT.has(place.id) }}
      activeProps={{ "aria-current": "page" }}
      onClick={() => onNavigate?.()}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <span className={cx(styles.placeName, cut.line)}>{place.title}</span>
    </Link>
  );
  if (!isIcon) return link;
  return (
    <Tooltip text={name} side="right">
      {link}
    </Tooltip>
  );
}

interface PlacesProps {
  label: string;
  places: readonly Place[];
  isIcons?: boolean;
  onNavigate?: () => void;
  className: string | undefined;
}

function Places({ label, places, isIcons = false, onNavigate, className }: PlacesProps) {
  if (places.length === 0) return null;
  return (
    <nav aria-label={label} className={className}>
      {places.map(place => (
        <NavLink key={place.id} place={place} isIcon={isIcons} {...(onNavigate && { onNavigate })} />
      ))}
    </nav>
  );
}

interface ShellProps {
  /** The workspace of the page. Outside of workspaces, the one that the person was in last. */
  workspace: Workspace | undefined;
  children: ReactNode;
}

/** The frame around every page that needs a sign-in. */
export function Shell({ workspace, children }: ShellProps) {
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(COLLAPSED) === "yes");
  const [drawer, setDrawer] = useState(false);
  const [Palette, setPalette] = useState<Awaited<ReturnType<typeof loadPalette>>["default"]>();
  const navigate = useNavigate();
  const { w, id, a: first } = useParams({ strict: false });
  const current = w === undefined ? undefined : workspace;
  const places = usePlaces(workspace, w !== undefined);
  const label = current ? m.shell.navigation : m.places.me;
  const named = current ? (id ?? first) : undefined;
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
        <WorkspaceSwitcher current={current} />
        <Places label={label} places={places} isIcons={collapsed} className={styles.places} />
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
          <Breadcrumbs workspace={current} />
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
        <Places label={label} places={places.filter(({ wide }) => !wide)} className={styles.bottom} />
      </div>
      <Drawer open={drawer} onClose={() => setDrawer(false)} title={m.appName}>
        <WorkspaceSwitcher current={current} />
        <Places label={label} places={places} className={styles.places} onNavigate={() => setDrawer(false)} />
        <div className={cx(styles.railEnd, styles.drawerEnd)}>
          <AccountMenu />
        </div>
      </Drawer>
      {Palette ? <Palette workspace={workspace} onClose={() => setPalette(undefined)} /> : null}
    </div>
  );
}
