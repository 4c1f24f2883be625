import { Link, useRouterState } from "@tanstack/react-router";
import { ChevronRight, ChevronsUpDown } from "lucide-react";
import { Fragment, Suspense } from "react";
import type { Workspace } from "../../sdk/definition.ts";
import { m } from "../messages/index.ts";
import styles from "./breadcrumbs.module.css";
import { IconButton } from "../ui/button.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { type Crumb, type SiblingsOf, useCrumbs } from "./crumbs.ts";
import { NAVIGATION } from "./navigation.ts";

/** Loaded when it is opened. */
const Siblings = lazy(() => import("./siblings.tsx"));

/** The button that opens the menu of pages beside a crumb. */
function Beside({ of, title, kind }: { of: Workspace; title: string; kind: SiblingsOf }) {
  return (
    <Menu
      trigger={
        <IconButton size="small" className={styles.siblings} label={m.shell.siblings(title)}>
          <ChevronsUpDown size={12} aria-hidden />
        </IconButton>
      }
    >
      <Suspense fallback={<MenuItem disabled>{m.loading}</MenuItem>}>
        <Siblings of={of} kind={kind} />
      </Suspense>
    </Menu>
  );
}

/** One crumb, with the menu of the pages beside it. */
function CrumbPart({ crumb, isLast, workspace }: { crumb: Crumb; isLast: boolean; workspace: Workspace | undefined }) {
  const { title, href, siblings } = crumb;
  const kind = siblings ?? (NAVIGATION.some(place => place.title === title) ? "places" : undefined);
  return (
    <span className={styles.part} data-last={isLast || undefined}>
      {isLast || href === undefined ? (
        <span className={styles.here} {...(isLast && { "aria-current": "page" as const })}>
          {title}
        </span>
      ) : (
        <Link to={href} className={styles.crumb}>
          {title}
        </Link>
      )}
      {kind && workspace ? <Beside of={workspace} title={title} kind={kind} /> : null}
    </span>
  );
}

/** Shows where the page is: the workspace, the place, and the crumbs that the page adds with `useAddCrumbs`. */
export function Breadcrumbs({ workspace }: { workspace: Workspace | undefined }) {
  const titles = useRouterState({
    select: ({ matches }) =>
      matches.flatMap(({ staticData, pathname }) => (staticData.title ? [`${staticData.title}\n${pathname}`] : [])),
    structuralSharing: true,
  });
  const own = useCrumbs();
  const places = titles.map(text => text.split("\n") as [string, string]);
  const crumbs: Crumb[] = [
    ...(workspace ? [{ title: workspace.name, href: `/w/${workspace.slug}`, siblings: "workspaces" as const }] : []),
    ...places.map(([title, href]) => ({ title, href })),
    ...own,
  ];
  return (
    <nav aria-label={m.breadcrumbs} className={styles.crumbs}>
      {crumbs.map((crumb, n) => (
        <Fragment key={`${n} ${crumb.href ?? ""}`}>
          {n > 0 ? <ChevronRight size={14} aria-hidden className={styles.between} /> : null}
          <CrumbPart crumb={crumb} isLast={n === crumbs.length - 1} workspace={workspace} />
        </Fragment>
      ))}
    </nav>
  );
}
