import { createRoute, redirect } from "@tanstack/react-router";
import { knownSession } from "./data/session.ts";
import { queryClient } from "./data/query-client.ts";
import { workspacesQuery } from "./data/workspaces.ts";
import { root } from "./entry-routes.ts";
import { AuthedLayout, WorkspaceLayout } from "./shell/layouts.tsx";
import { templatesAt } from "./shell/public-pages.ts";
import { PageFailure } from "./shell/missing.tsx";

/** Pages that need a sign-in. */
export const authed = createRoute({
  getParentRoute: () => root,
  id: "authed",
  async beforeLoad({ location }) {
    if ((await knownSession()).status === "in") return void queryClient.prefetchQuery(workspacesQuery);
    if (templatesAt(location.pathname)) return;
    redirect({ throw: true, to: "/sign-in", search: location.href === "/" ? {} : { next: location.href } });
  },
  component: AuthedLayout,
  errorComponent: PageFailure,
});

/** Pages of a workspace. Their components use `useWorkspace`. */
export const workspace = createRoute({
  getParentRoute: () => authed,
  path: "/w/$w",
  component: WorkspaceLayout,
});
