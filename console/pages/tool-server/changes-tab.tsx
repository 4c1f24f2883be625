import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { GitCompare } from "lucide-react";
import { builderPath } from "../../data/paths.ts";
import { type SourceKind, toolChangesQuery, type ToolChange } from "../../data/tools.ts";
import { ChangeList } from "../../json/change-list.tsx";
import { words } from "../../messages/en-tools.ts";
import { PagedList } from "../../shell/paged-list.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Card } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./server.module.css";

function Row({ change }: { change: ToolChange }) {
  const { slug: w } = useWorkspace();
  const { name, kind, at, fields, changes, truncated, workflows } = change;
  return (
    <li className={styles.change}>
      <div className={styles.changeHead}>
        <span className={rows.name}>{name}</span>
        <span className={rows.detail}>
          {words.changes.kind[kind]}
          {fields.length > 0 ? ` · ${fields.join(", ")}` : ""} · <Time at={at} />
        </span>
      </div>
      {workflows.length > 0 ? (
        <p className={rows.detail}>
          {words.changes.used("")}
          {workflows.map(({ workflowId, spaceId, name: workflow }, n) => (
            <span key={workflowId}>
              {n > 0 ? ", " : ""}
              <Link to={builderPath(w, { spaceId, id: workflowId })}>{workflow}</Link>
            </span>
          ))}
        </p>
      ) : null}
      {kind === "changed" && changes.length > 0 ? (
        <ChangeList changes={changes} label={words.changes.what(name)} />
      ) : null}
      {truncated ? <p className={rows.detail}>{words.changes.truncated}</p> : null}
    </li>
  );
}

/** The tools that were added, changed and removed, newest first, with the workflows that use them. */
export function ChangesTab({ kind, id }: { kind: SourceKind; id: string }) {
  const { id: workspaceId } = useWorkspace();
  const query = useInfiniteQuery(toolChangesQuery(workspaceId, kind, id));
  return (
    <Card flush>
      <PagedList
        query={query}
        empty={
          <Empty small icon={<GitCompare size={20} aria-hidden />} title={words.changes.empty}>
            {words.changes.emptyDetail}
          </Empty>
        }
      >
        {change => <Row key={change.id} change={change} />}
      </PagedList>
    </Card>
  );
}
