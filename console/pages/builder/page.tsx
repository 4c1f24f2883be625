import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { Builder } from "../../builder/builder.tsx";
import { openedQuery } from "../../builder/opened.ts";
import { problemOf } from "../../data/problem.ts";
import { useMe } from "../../data/session.ts";
import { m } from "../../messages/index.ts";
import { useAddCrumbs } from "../../shell/crumbs.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";

/** The builder of a workflow. */
export function BuilderPage() {
  const { s, id } = useParams({ from: "/authed/w/$w/s/$s/f/$id" });
  const { n } = useSearch({ from: "/authed/w/$w/s/$s/f/$id" });
  const workspace = useWorkspace();
  const me = useMe();
  const navigate = useNavigate({ from: "/w/$w/s/$s/f/$id" });
  const at = useMemo(() => ({ workspaceId: workspace.id, spaceId: s, id }), [workspace.id, s, id]);
  const { data, error, refetch } = useQuery(openedQuery(at, me.id));
  const workflows = { title: m.places.workflows, href: `/w/${workspace.slug}/workflows` };
  useAddCrumbs(data ? [workflows, { title: data.stored.workflow.name }] : [workflows]);
  const select = useCallback(
    (next: string | undefined) =>
      void navigate({ search: before => ({ ...before, n: next }), replace: true, resetScroll: false }),
    [navigate],
  );
  if (!data) return error ? <Failure problem={problemOf(error)} onRetry={() => void refetch()} /> : <SkeletonRows />;
  const mayEdit = includesRole(workspace.role, "editor");
  return (
    <Builder
      key={`${id} ${data.opened}`}
      at={at}
      userId={me.id}
      stored={data.stored}
      draft={data.draft}
      readOnly={!mayEdit}
      mayRun={mayEdit}
      mayDeploy={includesRole(workspace.role, "admin")}
      selected={n}
      onSelect={select}
      onVersions={() => undefined}
    />
  );
}
