import { createRoute, redirect } from "@tanstack/react-router";
import { prefetchWorkflow } from "./data/stored-workflow.ts";
import { versionsSearch } from "./pages/versions/search.ts";
import { numberIn, type Search, textIn } from "./search.ts";
import { workspace } from "./workspace-route.ts";
import { lazyPage } from "./shell/lazy-page.tsx";

// The pages of one workflow.

const builder = createRoute({
  getParentRoute: () => workspace,
  path: "/s/$s/f/$id",
  staticData: { place: "workflows" },
  validateSearch: (search: Search): { n?: string | undefined; run?: string | undefined; v?: number | undefined } => ({
    n: textIn(search, "n"),
    run: textIn(search, "run"),
    v: numberIn(search, "v"),
  }),
  beforeLoad({ params, search: { v } }) {
    // Versions are read-only, so they open on the page of versions.
    if (v !== undefined)
      redirect({ throw: true, to: "/w/$w/s/$s/f/$id/versions", params, search: { v }, replace: true });
  },
  loader({ params: { w, s, id }, cause }) {
    if (cause !== "enter") return;
    // The page itself reports a failure.
    prefetchWorkflow(w, s, id).catch(() => undefined);
  },
  component: lazyPage(() => import("./pages/builder/page.tsx"), "BuilderPage"),
});

const versions = createRoute({
  getParentRoute: () => workspace,
  path: "/s/$s/f/$id/versions",
  staticData: { place: "workflows" },
  validateSearch: versionsSearch,
  component: lazyPage(() => import("./pages/versions/page.tsx"), "VersionsPage"),
});

const runsOf = createRoute({
  getParentRoute: () => workspace,
  path: "/s/$s/f/$id/runs",
  beforeLoad: ({ params: { w, id } }) =>
    redirect({ throw: true, to: "/w/$w/runs", params: { w }, search: { workflow: id }, replace: true }),
});

const triggersOf = createRoute({
  getParentRoute: () => workspace,
  path: "/s/$s/f/$id/triggers",
  beforeLoad: ({ params: { w, id } }) =>
    redirect({ throw: true, to: "/w/$w/schedules", params: { w }, search: { workflow: id }, replace: true }),
});

export const workflowRoutes = [builder, versions, runsOf, triggersOf] as const;
