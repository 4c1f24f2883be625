import { useQuery } from "@tanstack/react-query";
import { type RunComparison, versionsQuery, type WorkflowDiff } from "../../data/compare.ts";
import { problemOf } from "../../data/problem.ts";
import { ChangeList } from "../../json/change-list.tsx";
import { comparison as words } from "../../messages/en-comparison.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Card } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";
import styles from "./compare.module.css";

const nameOf = (node: unknown): string => {
  const { name, id } = node as { name?: unknown; id?: unknown };
  return typeof name === "string" && name !== "" ? name : String(id);
};

function Differences({ nodes, edges, settings, definition }: WorkflowDiff) {
  const rows = [
    ...nodes.added.map(node => [words.stepAdded, nameOf(node), []] as const),
    ...nodes.removed.map(node => [words.stepRemoved, nameOf(node), []] as const),
    ...nodes.changed.map(({ id, changes }) => [words.stepChanged, id, changes] as const),
    ...(settings.length > 0 ? [[words.settings, "", settings] as const] : []),
    ...(definition.length > 0 ? [[words.definition, "", definition] as const] : []),
  ];
  const connections = edges.added.length + edges.removed.length;
  return (
    <ul className={styles.definition}>
      {rows.map(([what, name, changes]) => (
        <li key={`${what} ${name}`}>
          <p>
            <span className={styles.note}>{what}</span> {name}
          </p>
          {changes.length > 0 ? <ChangeList changes={changes} label={`${what} ${name}`} /> : null}
        </li>
      ))}
      {connections > 0 ? (
        <li className={styles.note}>{words.edges(edges.added.length, edges.removed.length)}</li>
      ) : null}
    </ul>
  );
}

/** The differences between the versions of two runs. */
export function DefinitionCard({ a, b }: Pick<RunComparison, "a" | "b">) {
  const { id: workspaceId } = useWorkspace();
  const isSame = a.workflowId === b.workflowId;
  const differs = isSame && a.workflowVersion !== b.workflowVersion;
  const { data, error, refetch } = useQuery({
    ...versionsQuery({ workspaceId, spaceId: a.spaceId }, a.workflowId, a.workflowVersion, b.workflowVersion),
    enabled: differs,
  });
  if (!isSame)
    return (
      <Card title={words.definition} aside={<Aside>{words.otherWorkflow}</Aside>} flush>
        {null}
      </Card>
    );
  if (!differs) {
    return (
      <Card title={words.definition} aside={<Aside>{words.sameVersion(a.workflowVersion)}</Aside>} flush>
        {null}
      </Card>
    );
  }
  return (
    <Card title={words.definition} aside={<Aside>{words.versions(a.workflowVersion, b.workflowVersion)}</Aside>}>
      {data ? <Differences {...data} /> : null}
      {error && !data ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <SkeletonRows rows={2} /> : null}
    </Card>
  );
}

const Aside = ({ children }: { children: string }) => <span className={styles.note}>{children}</span>;
