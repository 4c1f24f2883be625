import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Workflow } from "lucide-react";
import { builderSpot } from "../../data/paths.ts";
import { problemOf } from "../../data/problem.ts";
import { type McpTool, type Source, type SourceKind, toolUsersQuery, type ToolUser } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { QueryList } from "../../shell/query-list.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Card } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import knowledge from "../knowledge/knowledge.module.css";
import styles from "./server.module.css";

const texts = words.users;

/** The most workflows that the dialog before a deletion names. */
const NAMED = 5;

/** A link to the first step of a workflow that uses a tool. */
function WorkflowLink({ user: { workflowId: id, spaceId, name, tools } }: { user: ToolUser }) {
  const { slug } = useWorkspace();
  return (
    <Link {...builderSpot(slug, { spaceId, id })} search={{ n: tools[0]?.nodeIds[0] }} className={knowledge.link}>
      {name}
    </Link>
  );
}

const Row = ({ user }: { user: ToolUser }) => (
  <li className={`${rows.row} ${knowledge.row}`}>
    <Workflow size={16} aria-hidden />
    <div className={rows.text}>
      <span className={rows.name}>
        <WorkflowLink user={user} />
      </span>
      <span className={rows.detail}>
        {user.deployed ? texts.live : texts.notLive} · {user.tools.map(({ name }) => name).join(", ")}
      </span>
    </div>
  </li>
);

/** The workflows that use the tools of a server or an API. */
export function UsedTab({ kind, id }: { kind: SourceKind; id: string }) {
  const { id: workspaceId } = useWorkspace();
  const query = useQuery(toolUsersQuery(workspaceId, kind, id));
  return (
    <Card flush>
      <QueryList
        small
        query={{ ...query, data: query.data?.users }}
        empty={
          <Empty small icon={<Workflow size={20} aria-hidden />} title={texts.empty}>
            {texts.emptyDetail}
          </Empty>
        }
      >
        {user => <Row key={user.workflowId} user={user} />}
      </QueryList>
      {query.data?.more ? <p className={styles.more}>{texts.more}</p> : null}
    </Card>
  );
}

/** The workflows that use one tool, with the steps that use it. */
export function UsersOfTool({ kind, tool }: { kind: SourceKind; tool: Pick<McpTool, "id" | "mcpServerId"> }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(toolUsersQuery(workspaceId, kind, tool.mcpServerId, tool.id));
  return (
    <section className={styles.users} aria-label={texts.title}>
      <h3>{texts.title}</h3>
      {data?.users.length === 0 ? <p className={styles.hint}>{texts.none}</p> : null}
      {data && data.users.length > 0 ? (
        <ul>
          {data.users.map(user => (
            <li key={user.workflowId}>
              <WorkflowLink user={user} />{" "}
              <span className={styles.hint}>
                {user.deployed ? texts.live : texts.notLive} · {user.tools.flatMap(({ nodeIds }) => nodeIds).join(", ")}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {data?.more ? <p className={styles.hint}>{texts.more}</p> : null}
      {!data && error ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton width={200} /> : null}
    </section>
  );
}

/** The workflows that would fail without a server or an API, for the dialog before it is deleted. */
export function UsersAtRisk({ source: { kind, id } }: { source: Pick<Source, "kind" | "id"> }) {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(toolUsersQuery(workspaceId, kind, id));
  if (!data || data.users.length === 0) return null;
  const { users } = data;
  const rest = users.length - NAMED;
  return (
    <p role="alert">
      {texts.removed(users.length)}{" "}
      {users
        .slice(0, NAMED)
        .map(({ name }) => name)
        .join(", ")}
      {rest > 0 ? ` ${texts.andMore(rest)}` : ""}
    </p>
  );
}
