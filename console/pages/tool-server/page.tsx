import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { problemOf } from "../../data/problem.ts";
import { type SourceKind, sourceQuery } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { useAddCrumbs } from "../../shell/crumbs.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Card, Page } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure, Notice } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ChangesTab } from "./changes-tab.tsx";
import { Facts } from "./facts.tsx";
import { type ServerSearch, type Tab, TABS } from "./search.ts";
import { ServerActions } from "./server-actions.tsx";
import styles from "./server.module.css";
import { ToolDialog } from "./tool-dialog.tsx";
import { ToolsTab } from "./tools-tab.tsx";
import { UsedTab } from "./used-by.tsx";

const SERVER = "/authed/w/$w/tools/servers/$id";
const API = "/authed/w/$w/tools/apis/$id";

/** The page of a tool server: its state, its tools, their changes, and the tools that were left out. */
export const ToolServerPage = () => (
  <SourcePage kind="server" id={useParams({ from: SERVER }).id} given={useSearch({ from: SERVER })} />
);

/** The same page for an API, whose operations are its tools. */
export const ApiPage = () => (
  <SourcePage kind="api" id={useParams({ from: API }).id} given={useSearch({ from: API })} />
);

function SourcePage({ kind, id, given }: { kind: SourceKind; id: string; given: ServerSearch }) {
  const { id: workspaceId, slug: w } = useWorkspace();
  const navigate = useNavigate();
  const { data: server, error, refetch } = useQuery(sourceQuery(workspaceId, kind, id));
  const crumb = { title: words.title, href: `/w/${w}/tools` };
  useAddCrumbs(server ? [crumb, { title: server.name }] : [crumb]);
  const search = useCallback(
    (change: ServerSearch) =>
      void navigate({
        to: kind === "api" ? "/w/$w/tools/apis/$id" : "/w/$w/tools/servers/$id",
        params: { w, id },
        search: { ...given, ...change },
        ...{ replace: true, resetScroll: false },
      }),
    [navigate, kind, w, id, given],
  );
  if (!server) {
    return (
      <Page title={words.title}>
        <Card flush>
          {error ? <Failure problem={problemOf(error)} onRetry={() => void refetch()} /> : <SkeletonRows />}
        </Card>
      </Page>
    );
  }
  const tab: Tab = given.tab ?? "tools";
  const { droppedTools, toolCount, lastError, status } = server;
  const counts: Record<Tab, number | undefined> = {
    tools: toolCount,
    used: undefined,
    changes: undefined,
    dropped: droppedTools.length || undefined,
  };
  return (
    <Page
      title={server.name}
      lead={<span className={styles.url}>{server.url}</span>}
      actions={<ServerActions server={server} />}
    >
      {status === "error" ? (
        <Notice tone="bad">
          {lastError} {toolCount > 0 ? words.staleTools : ""}
        </Notice>
      ) : null}
      <Facts server={server} />
      <Tabs
        label={words.sections}
        value={tab}
        onChange={next => search({ tab: next === "tools" ? undefined : next, q: undefined })}
        tabs={TABS.map(value => ({ value, label: words.tab[value], count: counts[value] }))}
      >
        <div className={styles.tab}>
          {tab === "tools" ? <ToolsTab server={server} given={given} search={search} /> : null}
          {tab === "used" ? <UsedTab kind={kind} id={id} /> : null}
          {tab === "changes" ? <ChangesTab kind={kind} id={id} /> : null}
          {tab === "dropped" ? (
            <Card flush>
              {droppedTools.length === 0 ? (
                <Empty small title={words.dropped.empty}>
                  {words.dropped.emptyDetail}
                </Empty>
              ) : (
                <ul>
                  {droppedTools.map(({ name, reason }) => (
                    <li key={name} className={rows.row}>
                      <div className={rows.text}>
                        <span className={rows.name}>{name}</span>
                        <span className={rows.detail}>{reason}</span>
                      </div>
                    </li>
                  ))}
                </ul>
              )}
            </Card>
          ) : null}
        </div>
      </Tabs>
      {given.tool === undefined ? null : (
        <ToolDialog key={given.tool} kind={kind} toolId={given.tool} onClose={() => search({ tool: undefined })} />
      )}
    </Page>
  );
}
