import { createRoute, createRouter, redirect } from "@tanstack/react-router";
import {
  command,
  confirmAddress,
  forgotPassword,
  index,
  invite,
  resetPassword,
  root,
  signIn,
  signUp,
  sso,
} from "./entry-routes.ts";
import { beginRun } from "./data/run.ts";
import { knownSession } from "./data/session.ts";
import { lastWorkspace } from "./data/workspaces.ts";
import { m } from "./messages/index.ts";
import { settingsSearch } from "./pages/settings/search.ts";
import { approvalsSearch } from "./pages/approvals/search.ts";
import { triggersSearch } from "./pages/schedules/search.ts";
import { runsSearch } from "./pages/runs/search.ts";
import { workflowsSearch } from "./pages/workflows/search.ts";
import { lazyPage } from "./shell/lazy-page.tsx";
import type { Place } from "./shell/navigation.ts";
import { runSearch } from "./run/search.ts";
import { Missing, PageFailure } from "./shell/missing.tsx";
import { resourceRoutes } from "./resource-routes.ts";
import { parseSearch, type Search, stringifySearch, textIn } from "./search.ts";
import { workflowRoutes } from "./workflow-routes.ts";
import { authed, workspace } from "./workspace-route.ts";

const me = createRoute({
  getParentRoute: () => authed,
  path: "/me",
  staticData: { title: m.places.me },
  component: lazyPage(() => import("./pages/me/page.tsx"), "MePage"),
});

const home = createRoute({
  getParentRoute: () => workspace,
  path: "/",
  staticData: { title: m.places.home },
  component: lazyPage(() => import("./pages/home/page.tsx"), "HomePage"),
});

const workflows = createRoute({
  getParentRoute: () => workspace,
  path: "/workflows",
  staticData: { title: m.places.workflows },
  validateSearch: workflowsSearch,
  component: lazyPage(() => import("./pages/workflows/page.tsx"), "WorkflowsPage"),
});

const runs = createRoute({
  getParentRoute: () => workspace,
  path: "/runs",
  staticData: { title: m.places.runs },
  validateSearch: runsSearch,
  component: lazyPage(() => import("./pages/runs/page.tsx"), "RunsPage"),
});

const run = createRoute({
  getParentRoute: () => workspace,
  path: "/s/$s/runs/$id",
  staticData: { place: "runs" },
  validateSearch: runSearch,
  loader({ params: { w, s, id }, cause }) {
    if (cause !== "enter") return;
    // The page itself reports a failure.
    beginRun(w, s, id).catch(() => undefined);
  },
  component: lazyPage(() => import("./pages/run/page.tsx"), "RunPage"),
});

const compare = createRoute({
  getParentRoute: () => workspace,
  path: "/runs/$a/vs/$b",
  staticData: { place: "runs" },
  component: lazyPage(() => import("./pages/compare/page.tsx"), "ComparePage"),
});

const approvals = createRoute({
  getParentRoute: () => workspace,
  path: "/approvals",
  staticData: { title: m.places.approvals },
  validateSearch: approvalsSearch,
  component: lazyPage(() => import("./pages/approvals/page.tsx"), "ApprovalsPage"),
});

const schedules = createRoute({
  getParentRoute: () => workspace,
  path: "/schedules",
  staticData: { title: m.places.schedules },
  validateSearch: triggersSearch,
  component: lazyPage(() => import("./pages/schedules/page.tsx"), "SchedulesPage"),
});

const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: "/webhooks",
  staticData: { title: m.places.webhooks },
  validateSearch: triggersSearch,
  component: lazyPage(() => import("./pages/webhooks/page.tsx"), "WebhooksPage"),
});

const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings/$tab",
  staticData: { place: "settings" },
  validateSearch: settingsSearch,
  component: lazyPage(() => import("./pages/settings/page.tsx"), "SettingsPage"),
});

const settingsStart = createRoute({
  getParentRoute: () => workspace,
  path: "/settings",
  beforeLoad: ({ params: { w } }) =>
    redirect({ throw: true, to: "/w/$w/settings/$tab", params: { w, tab: "general" } }),
});

const operator = createRoute({
  getParentRoute: () => authed,
  path: "/operator/$tab",
  staticData: { place: "operator" },
  validateSearch: (search: Search): { q?: string | undefined } => ({ q: textIn(search, "q") }),
  component: lazyPage(() => import("./pages/operator/page.tsx"), "OperatorPage"),
});

const operatorStart = createRoute({
  getParentRoute: () => authed,
  path: "/operator",
  beforeLoad: () => redirect({ throw: true, to: "/operator/$tab", params: { tab: "status" } }),
});

const notifications = createRoute({
  getParentRoute: () => authed,
  path: "/me/notifications",
  staticData: { title: m.places.notifications },
  component: lazyPage(() => import("./pages/notifications/page.tsx"), "NotificationsPage"),
});

// Unknown addresses. The page says so within the frame of a workspace, or of a user who is signed in.
const unknown = { path: "/$", staticData: { title: m.problem.notFound } } as const;
const missing = createRoute({
  getParentRoute: () => root,
  ...unknown,
  beforeLoad: async () => void (await knownSession()),
  component: lazyPage(() => import("./shell/unknown-address.tsx"), "UnknownAddress"),
});
const missingInWorkspace = createRoute({ getParentRoute: () => workspace, ...unknown, component: Missing });

const routes = [
  index,
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  confirmAddress,
  sso,
  invite,
  command,
  missing,
  authed.addChildren([
    me,
    notifications,
    operator,
    operatorStart,
    workspace.addChildren([
      home,
      workflows,
      runs,
      run,
      compare,
      approvals,
      schedules,
      webhooks,
      settings,
      settingsStart,
      missingInWorkspace,
      ...workflowRoutes,
      ...resourceRoutes,
    ]),
  ]),
];

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: "intent",
  defaultPendingMs: 150,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
});

/** Preloads the code of the page at the current address. Someone who never signed in here sees another page first. */
export function loadMatchingPage(): void {
  const [matchedRoutes] = router.getMatchedRoutes(location.pathname);
  if (lastWorkspace() === null && matchedRoutes.includes(authed)) return;
  for (const route of matchedRoutes) router.loadRouteChunk(route)?.catch(() => undefined);
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The first crumb of the page, which is also part of the tab's title. */
    title?: string;
    /** The place in the navigation, if the path does not tell it. */
    place?: Place["id"];
  }
}
