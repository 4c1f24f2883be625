import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { definitionQuery, runQuery } from "../../data/run.ts";
import { runTexts } from "../../messages/en-run.ts";
import { m } from "../../messages/index.ts";
import { RunView } from "../../run/run-view.tsx";
import { useAddCrumbs } from "../../shell/crumbs.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import styles from "./run.module.css";

/** The page of a run. */
export function RunPage() {
  const { s, id } = useParams({ from: "/authed/w/$w/s/$s/runs/$id" });
  const search = useSearch({ from: "/authed/w/$w/s/$s/runs/$id" });
  const workspace = useWorkspace();
  const at = { workspaceId: workspace.id, spaceId: s, id };
  const { data: run } = useQuery(runQuery(at));
  const { data: version } = useQuery({
    ...definitionQuery(at, run?.workflowId ?? "", run?.workflowVersion ?? 0),
    enabled: run !== undefined,
  });
  useAddCrumbs([
    { title: m.places.runs, href: `/w/${workspace.slug}/runs` },
    { title: version?.name ?? runTexts.run.title, ...(run && { siblings: { runsOf: run.workflowId } }) },
  ]);
  const navigate = useNavigate({ from: "/w/$w/s/$s/runs/$id" });
  return (
    <div className={styles.page}>
      <RunView
        key={id}
        at={at}
        search={search}
        // Only a change of the view adds an entry to the history; a selection does not.
        onSearch={next => void navigate({ search: next, replace: next.view === search.view })}
        onOpenRun={next => void navigate({ params: { w: workspace.slug, s, id: next }, search: {} })}
        onCompare={former =>
          void navigate({ to: "/w/$w/runs/$a/vs/$b", params: { w: workspace.slug, a: former, b: id } })
        }
        canEdit={includesRole(workspace.role, "editor")}
      />
    </div>
  );
}
