import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { Versions } from "../../builder/diff/versions.tsx";
import { Opening } from "../../builder/opening.tsx";
import { builderPath } from "../../data/paths.ts";
import { problemOf } from "../../data/problem.ts";
import { workflowQuery } from "../../data/workflows.ts";
import { m } from "../../messages/index.ts";
import { words } from "../../messages/en-builder.ts";
import { useAddCrumbs } from "../../shell/crumbs.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { HiddenTitle } from "../../ui/page.tsx";
import { Failure } from "../../ui/states.tsx";

const FROM = "/authed/w/$w/s/$s/f/$id/versions";

/** The page with the versions of a workflow. */
export function VersionsPage() {
  const { s, id } = useParams({ from: FROM });
  const { v, from } = useSearch({ from: FROM });
  const workspace = useWorkspace();
  const navigate = useNavigate({ from: "/w/$w/s/$s/f/$id/versions" });
  const at = useMemo(() => ({ workspaceId: workspace.id, spaceId: s, id }), [workspace.id, s, id]);
  const { data, error, refetch } = useQuery(workflowQuery(workspace.id, at));
  const path = builderPath(workspace.slug, at);
  useAddCrumbs([
    { title: m.places.workflows, href: `/w/${workspace.slug}/workflows` },
    ...(data ? [{ title: data.name, href: path }] : []),
    { title: words.versions },
  ]);
  if (!data) {
    return (
      <>
        <HiddenTitle>{words.versions}</HiddenTitle>
        {error ? <Failure problem={problemOf(error)} onRetry={() => void refetch()} /> : <Opening />}
      </>
    );
  }
  return (
    <Versions
      at={at}
      live={data.deployedVersion}
      shown={v ?? data.version}
      from={from}
      mayDeploy={includesRole(workspace.role, "admin")}
      mayRestore={includesRole(workspace.role, "editor")}
      onShow={(version, older) => void navigate({ search: { v: version, from: older } })}
      onBack={() => void navigate({ to: path })}
    />
  );
}
