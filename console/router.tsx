import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { knownSession } from "./data/session.ts";
import { homeOf } from "./data/workspaces.ts";
import { m } from "./messages/index.ts";
import { entrySearch, leaveIfSignedIn } from "./entry.ts";
import { approvalsSearch } from "./pages/approvals/search.ts";
import { versionsSearch } from "./pages/versions/search.ts";
import { runsSearch } from "./pages/runs/search.ts";
import type { Place } from "./shell/places.ts";
import { runSearch } from "./run/search.ts";
import { AuthedLayout, Root, WorkspaceLayout } from "./shell/layouts.tsx";
import { MissingPage, PageFailure } from "./shell/missing.tsx";
import { parseSearch, type Search, stringifySearch, textIn } from "./search.ts";

const root = createRootRoute({ component: Root, notFoundComponent: MissingPage });

const index = createRoute({
  getParentRoute: () => root,
  path: "/",
  async beforeLoad({ location }) {
    // The API's links to invites are `/#invite=<token>`.
    if (location.hash.startsWith("invite=")) redirect({ throw: true, to: "/invite", hash: location.hash });
    if ((await knownSession()).status !== "in") redirect({ throw: true, to: "/sign-in" });
    const w = await homeOf();
    if (w === undefined) redirect({ throw: true, to: "/me" });
    else redirect({ throw: true, to: "/w/$w", params: { w } });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: entrySearch,
  beforeLoad: leaveIfSignedIn,
  component: lazyRouteComponent(() => import("./pages/sign-in/page.tsx"), "SignInPage"),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: "/sign-up",
  validateSearch: entrySearch,
  beforeLoad: leaveIfSignedIn,
  component: lazyRouteComponent(() => import("./pages/sign-up/page.tsx"), "SignUpPage"),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: "/forgot-password",
  validateSearch: entrySearch,
  component: lazyRouteComponent(() => import("./pages/forgot-password/page.tsx"), "ForgotPasswordPage"),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: "/reset-password",
  component: lazyRouteComponent(() => import("./pages/reset-password/page.tsx"), "ResetPasswordPage"),
});

const confirmAddress = createRoute({
  getParentRoute: () => root,
  path: "/confirm-address",
  component: lazyRouteComponent(() => import("./pages/confirm-address/page.tsx"), "ConfirmAddressPage"),
});

const sso = createRoute({
  getParentRoute: () => root,
  path: "/sso/$provider",
  beforeLoad: async () => void (await knownSession()),
  component: lazyRouteComponent(() => import("./pages/sso/page.tsx"), "SsoPage"),
});

const invite = createRoute({
  getParentRoute: () => root,
  path: "/invite",
  beforeLoad: async () => void (await knownSession()),
  component: lazyRouteComponent(() => import("./pages/invite/page.tsx"), "InvitePage"),
});

const command = createRoute({
  getParentRoute: () => root,
  path: "/command",
  validateSearch: (search: Search): { challenge?: string | undefined } => ({ challenge: textIn(search, "challenge") }),
  async beforeLoad({ location }) {
    if ((await knownSession()).status === "in") return;
    redirect({ throw: true, to: "/sign-in", search: { next: location.href } });
  },
  component: lazyRouteComponent(() => import("./pages/command/page.tsx"), "CommandPage"),
});

/** Pages for people who are signed in. */
const authed = createRoute({
  getParentRoute: () => root,
  id: "authed",
  async beforeLoad({ location }) {
    if ((await knownSession()).status === "in") return;
    redirect({ throw: true, to: "/sign-in", search: location.href === "/" ? {} : { next: location.href } });
  },
  component: AuthedLayout,
  errorComponent: PageFailure,
});

const me = createRoute({
  getParentRoute: () => authed,
  path: "/me",
  staticData: { title: m.places.me },
  component: lazyRouteComponent(() => import("./pages/me/page.tsx"), "MePage"),
});

/** Pages of one workspace. Their components use `useWorkspace`. */
const workspace = createRoute({
  getParentRoute: () => authed,
  path: "/w/$w",
  component: WorkspaceLayout,
  notFoundComponent: MissingPage,
});

const home = createRoute({
  getParentRoute: () => workspace,
  path: "/",
  staticData: { title: m.places.home },
  component: lazyRouteComponent(() => import("./pages/home/page.tsx"), "HomePage"),
});

const workflows = createRoute({
  getParentRoute: () => workspace,
  path: "/workflows",
  staticData: { title: m.places.workflows },
  validateSearch: (search: Search): { q?: string | undefined; run?: string | undefined } => ({
    q: textIn(search, "q"),
    run: textIn(search, "run"),
  }),
  component: lazyRouteComponent(() => import("./pages/workflows/page.tsx"), "WorkflowsPage"),
});

const runs = createRoute({
  getParentRoute: () => workspace,
  path: "/runs",
  staticData: { title: m.places.runs },
  validateSearch: runsSearch,
  component: lazyRouteComponent(() => import("./pages/runs/page.tsx"), "RunsPage"),
});

const run = createRoute({
  getParentRoute: () => workspace,
  path: "/s/$s/runs/$id",
  staticData: { place: "runs" },
  validateSearch: runSearch,
  component: lazyRouteComponent(() => import("./pages/run/page.tsx"), "RunPage"),
});

const builder = createRoute({
  getParentRoute: () => workspace,
  path: "/s/$s/f/$id",
  staticData: { place: "workflows" },
  validateSearch: (search: Search): { n?: string | undefined } => ({ n: textIn(search, "n") }),
  component: lazyRouteComponent(() => import("./pages/builder/page.tsx"), "BuilderPage"),
});

const compare = createRoute({
  getParentRoute: () => workspace,
  path: "/runs/$a/vs/$b",
  staticData: { place: "runs" },
  component: lazyRouteComponent(() => import("./pages/compare/page.tsx"), "ComparePage"),
});

const versions = createRoute({
  getParentRoute: () => workspace,
  path: "/s/$s/f/$id/versions",
  staticData: { place: "workflows" },
  validateSearch: versionsSearch,
  component: lazyRouteComponent(() => import("./pages/versions/page.tsx"), "VersionsPage"),
});

const approvals = createRoute({
  getParentRoute: () => workspace,
  path: "/approvals",
  staticData: { title: m.places.approvals },
  validateSearch: approvalsSearch,
  component: lazyRouteComponent(() => import("./pages/approvals/page.tsx"), "ApprovalsPage"),
});

const schedules = createRoute({
  getParentRoute: () => workspace,
  path: "/schedules",
  staticData: { title: m.places.schedules },
  component: lazyRouteComponent(() => import("./pages/schedules/page.tsx"), "SchedulesPage"),
});

const webhooks = createRoute({
  getParentRoute: () => workspace,
  path: "/webhooks",
  staticData: { title: m.places.webhooks },
  component: lazyRouteComponent(() => import("./pages/webhooks/page.tsx"), "WebhooksPage"),
});

const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings/$tab",
  staticData: { place: "settings" },
  component: lazyRouteComponent(() => import("./pages/settings/page.tsx"), "SettingsPage"),
});

const notifications = createRoute({
  getParentRoute: () => authed,
  path: "/me/notifications",
  staticData: { title: m.places.notifications },
  component: lazyRouteComponent(() => import("./pages/notifications/page.tsx"), "NotificationsPage"),
});

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
  authed.addChildren([
    me,
    notifications,
    workspace.addChildren([
      home,
      workflows,
      runs,
      run,
      compare,
      approvals,
      builder,
      versions,
      schedules,
      webhooks,
      settings,
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

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The page's crumb, before those that it adds itself, and its part of the title of the tab. */
    title?: string;
    /** The place of the rail that the page belongs to, where its path does not tell. */
    place?: Place["id"];
  }
}
