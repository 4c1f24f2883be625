import { Link, useRouterState } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import type { Workspace } from "../../sdk/definition.ts";
import { m } from "../messages/index.ts";
import styles from "./breadcrumbs.module.css";
import { useCrumbs } from "./crumbs.ts";

/** Where the page is: the workspace, the place, and what the page itself adds by `useCrumbs`. */
export function Breadcrumbs({ workspace }: { workspace: Workspace | undefined }) {
  const titles = useRouterState({
    select: ({ matches }) =>
      matches.flatMap(({ staticData, pathname }) => (staticData.title ? [`${staticData.title}\n${pathname}`] : [])),
    structuralSharing: true,
  });
  const own = useCrumbs();
  const places = titles.map(text => text.split("\n") as [string, string]);
  const crumbs = [...places.map(([title, href]) => ({ title, href })), ...own];
  return (
    <nav aria-label={m.breadcrumbs} className={styles.crumbs}>
      {workspace ? (
        <Link to="/w/$w" params={{ w: workspace.slug }} className={styles.workspace}>
          {workspace.name}
        </Link>
      ) : null}
      {crumbs.map(({ title, href }, n) => (
        <Fragment key={`${n} ${href ?? ""}`}>
          {n > 0 || workspace ? <ChevronRight size={14} aria-hidden className={styles.between} /> : null}
          {n === crumbs.length - 1 || href === undefined ? (
            <span className={styles.here} aria-current={n === crumbs.length - 1 ? "page" : undefined}>
              {title}
            </span>
          ) : (
            <Link to={href} className={styles.crumb}>
              {title}
            </Link>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
