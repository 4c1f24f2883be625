import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useParams, useRouter, useRouterState } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect } from "react";
import { problemOf } from "../data/problem.ts";
import { forgetAll } from "../data/query-client.ts";
import { useSession } from "../data/session.ts";
import { findWorkspace, lastWorkspace, rememberWorkspace, workspacesQuery } from "../data/workspaces.ts";
import { useWorkspaceStream } from "../data/workspace-stream.ts";
import { m } from "../messages/index.ts";
import { lazy } from "../ui/lazy.tsx";
import { Failure } from "../ui/states.tsx";
import { AllowedPeopleContext } from "../ui/allowed-people.ts";
import { useCrumbs } from "./crumbs.ts";
import { LiveBar } from "./live-bar.tsx";
import { Missing } from "./missing.tsx";
import { templatesAt } from "./public-pages.ts";
import { Shell } from "./shell.tsx";
import { WorkspaceContext } from "./workspace.ts";

/** Loaded if a workspace requires a second factor. */
const FactorGate = lazy(() => import("./factor-gate.tsx"), "FactorGate");

/** Loaded if the user's role is too low. */
const Admins = lazy(() => import("./admins.tsx"));
const WHO_MAY = (
  <Suspense>
    <Admins />
  </Suspense>
);

const PublicTemplates = lazy(() => import("../pages/templates/public.tsx"));

/** Sets the title of the tab, and leads to sign-in when the session ends. */
export function Root() {
  const place = useRouterState({
    select: ({ matches }) => matches.findLast(({ staticData }) => staticData.title)?.staticData.title,
  });
  const title = useCrumbs().at(-1)?.title ?? place;
  useEffect(() => {
    document.title = title ? `${title} · ${m.appName}` : m.appName;
  }, [title]);
  return <Outlet />;
}

/** The frame around a page of a user who is signed in. */
export function Frame({ children }: { children: ReactNode }) {
  const { w } = useParams({ strict: false });
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const workspace =
    findWorkspace(workspaces, w ?? lastWorkspace() ?? "") ?? (w === undefined ? workspaces[0] : undefined);
  return (
    <Shell workspace={workspace}>
      <LiveBar />
      {children}
    </Shell>
  );
}

export function AuthedLayout() {
  const session = useSession();
  const navigate = useNavigate();
  const router = useRouter();
  const isOut = session.status === "out";
  const shown = useRouterState({ select: ({ location }) => location.pathname });
  const templates = isOut ? templatesAt(shown) : undefined;
  const isPublic = templates !== undefined;
  useEffect(() => {
    if (!isOut || isPublic) return;
    const next = router.state.location.href;
    forgetAll();
    void navigate({ to: "/sign-in", search: { next } });
  }, [isOut, isPublic, navigate, router]);
  if (templates) {
    return (
      <Suspense>
        <PublicTemplates {...templates} />
      </Suspense>
    );
  }
  if (session.status !== "in") return null;
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

export function WorkspaceLayout() {
  const { w } = useParams({ from: "/authed/w/$w" });
  const { data, error, refetch } = useQuery(workspacesQuery);
  const workspace = findWorkspace(data ?? [], w);
  useWorkspaceStream(workspace?.id);
  const slug = workspace?.slug;
  useEffect(() => {
    if (slug !== undefined) rememberWorkspace(slug);
  }, [slug]);
  if (workspace) {
    return (
      <WorkspaceContext value={workspace} key={workspace.id}>
        <AllowedPeopleContext value={WHO_MAY}>
          {workspace.demandsFactor ? (
            <Suspense>
              <FactorGate>
                <Outlet />
              </FactorGate>
            </Suspense>
          ) : (
            <Outlet />
          )}
        </AllowedPeopleContext>
      </WorkspaceContext>
    );
  }
  if (error) return <Failure problem={problemOf(error)} onRetry={() => void refetch()} />;
  return data ? <Missing /> : null;
}
