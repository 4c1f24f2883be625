import { Link, useRouterState } from "@tanstack/react-router";
import { ChevronRight, ChevronsUpDown } from "lucide-react";
import { Fragment, lazy, Suspense } from "react";
import type { Workspace } from "../../sdk/definition.ts";
import { m } from "../messages/index.ts";
import styles from "./breadcrumbs.module.css";
import { IconButton } from "../ui/button.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { type Crumb, useCrumbs } from "./crumbs.ts";
import { PLACES } from "./places.ts";

/** Loaded when it is opened. */
const Siblings = lazy(() => import("./siblings.tsx"));

/** The page itself, with the pages beside it. */
function Here({ crumb: { title, siblings }, workspace }: { crumb: Crumb; workspace: Workspace | undefined }) {
  return (
    <span className={styles.last}>
      <span className={styles.here} aria-current="page">
        {title}
      </span>
      {siblings && workspace ? (
        <Menu
          trigger={
            <IconButton size="small" className={styles.siblings} label={m.shell.siblings}>
              <ChevronsUpDown size={12} aria-hidden />
            </IconButton>
          }
        >
          <Suspense fallback={<MenuItem disabled>{m.loading}</MenuItem>}>
            <Siblings of={workspace} kind={siblings} />
          </Suspense>
        </Menu>
      ) : null}
    </span>
  );
}

/** Where the page is: the workspace, the place, and what the page itself adds by `useCrumbs`. */
export function Breadcrumbs({ workspace }: { workspace: Workspace | undefined }) {
  const titles = useRouterState({
    select: ({ matches }) =>
      matches.flatMap(({ staticData, pathname }) => (staticData.title ? [`${staticData.title}\n${pathname}`] : [])),
    structuralSharing: true,
  });
  const own = useCrumbs();
  const places = titles.map(text => text.split("\n") as [string, string]);
  const isPlace = (title: string) => PLACES.some(place => place.title === title);
  const crumbs: Crumb[] = [
    ...places.map(([title, href]) => ({ title, href, ...(isPlace(title) && { siblings: "places" as const }) })),
    ...own,
  ];
  return (
    <nav aria-label={m.breadcrumbs} className={styles.crumbs}>
      {workspace ? (
        <Link to="/w/$w" params={{ w: workspace.slug }} className={styles.workspace}>
          {workspace.name}
        </Link>
      ) : null}
      {crumbs.map((crumb, n) => (
        <Fragment key={`${n} ${crumb.href ?? ""}`}>
          {n > 0 || workspace ? <ChevronRight size={14} aria-hidden className={styles.between} /> : null}
          {n === crumbs.length - 1 ? (
            <Here crumb={crumb} workspace={workspace} />
          ) : crumb.href === undefined ? (
            <span className={styles.here}>{crumb.title}</span>
          ) : (
            <Link to={crumb.href} className={styles.crumb}>
              {crumb.title}
            </Link>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
