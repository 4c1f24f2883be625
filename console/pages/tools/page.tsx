import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ChevronRight, Plug, Plus, Search, Server, Wrench } from "lucide-react";
import { type ReactNode, useDeferredValue, useRef, useState } from "react";
import { descriptionOf } from "../../data/tool-description.ts";
import { apisQuery, type FoundTool, foundToolsQuery, type McpServer, serversQuery } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { m } from "../../messages/index.ts";
import { QueryList } from "../../shell/query-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
import { useCommands } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { SearchField } from "../../ui/search-field.tsx";
import { Empty, Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import knowledge from "../knowledge/knowledge.module.css";
import { ApiDialog } from "./api-dialog.tsx";
import { ServerDialog } from "./server-dialog.tsx";
import { ServerStatus } from "./server-status.tsx";

interface SourceRowProps {
  to: "/w/$w/tools/servers/$id" | "/w/$w/tools/apis/$id";
  source: Pick<McpServer, "id" | "name" | "status" | "lastError" | "agents">;
  icon: ReactNode;
  detail: string;
}

function SourceRow({ to, source: { id, name, status, lastError, agents }, icon, detail }: SourceRowProps) {
  const { slug: w } = useWorkspace();
  return (
    <li className={`${rows.row} ${knowledge.row} ${knowledge.wordy}`}>
      {icon}
      <div className={rows.text}>
        <Link to={to} params={{ w, id }} className={`${rows.name} ${knowledge.link}`}>
          {name}
        </Link>
        <span className={rows.detail}>
          {detail}
          {agents ? ` · ${words.agents}` : ""}
        </span>
        {lastError ? <span className={rows.detail}>{lastError}</span> : null}
      </div>
      <ServerStatus status={status} kind={to === "/w/$w/tools/apis/$id" ? "api" : "server"} />
      <ChevronRight size={16} aria-hidden className={knowledge.go} />
    </li>
  );
}

function FoundRow({ tool }: { tool: FoundTool }) {
  const { slug: w } = useWorkspace();
  const { id, name, title, mcpServerId, serverName, score } = tool;
  return (
    <li className={`${rows.row} ${knowledge.row} ${knowledge.wordy}`}>
      <Wrench size={16} aria-hidden />
      <div className={rows.text}>
        <Link
          to={tool.operation ? "/w/$w/tools/apis/$id" : "/w/$w/tools/servers/$id"}
          params={{ w, id: mcpServerId }}
          search={{ tool: id }}
          className={`${rows.name} ${knowledge.link}`}
        >
          {title ?? name}
        </Link>
        <span className={rows.detail}>
          {[serverName, descriptionOf(tool).slice(0, 240)].filter(Boolean).join(" · ")}
        </span>
      </div>
      <span className={rows.detail}>{words.score(score.toFixed(2))}</span>
    </li>
  );
}

/** The search results among the tools of all servers. */
function Found({ query, onClear }: { query: string; onClear: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const found = useQuery(foundToolsQuery(workspaceId, query));
  const none = (
    <Empty
      icon={<Search size={20} aria-hidden />}
      title={words.noneFound}
      action={<Button onClick={onClear}>{m.clear}</Button>}
    >
      {words.noneFoundDetail}
    </Empty>
  );
  return (
    <>
      {found.data?.degraded ? <Notice tone="warn">{words.degraded}</Notice> : null}
      <Card flush title={found.data ? words.found(found.data.tools.length) : undefined}>
        <QueryList query={{ ...found, data: found.data?.tools }} empty={none}>
          {tool => <FoundRow key={tool.id} tool={tool} />}
        </QueryList>
      </Card>
    </>
  );
}

/** The tool servers of the workspace, with one search for all their tools. */
export function ToolsPage() {
  const { id: workspaceId, slug: w } = useWorkspace();
  const { q = "" } = useSearch({ from: "/authed/w/$w/tools" });
  const navigate = useNavigate();
  const query = useQuery(serversQuery(workspaceId));
  const apis = useQuery(apisQuery(workspaceId));
  const asked = useDeferredValue(q.trim());
  const [adds, setAdds] = useState<"server" | "api">();
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ id: "filter", title: m.shortcut.filter, keys: "/", run: () => field.current?.focus() }]);
  const search = (next: string) =>
    void navigate({ to: "/w/$w/tools", params: { w }, search: { q: next || undefined }, replace: true });
  const addServer = (
    <RoleButton least="editor" tone="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setAdds("server")}>
      {words.add}
    </RoleButton>
  );
  const addApi = (
    <RoleButton least="editor" icon={<Plus size={14} aria-hidden />} onClick={() => setAdds("api")}>
      {words.api.add}
    </RoleButton>
  );
  const isEmpty = ({ data }: { data: readonly unknown[] | undefined }) => asked === "" && data?.length === 0;
  const empty = (
    <Empty small icon={<Server size={20} aria-hidden />} title={words.empty} action={addServer}>
      {words.emptyDetail}
    </Empty>
  );
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          {isEmpty(apis) ? null : addApi}
          {isEmpty(query) ? null : addServer}
        </>
      }
    >
      {q !== "" || (query.data?.length ?? 0) + (apis.data?.length ?? 0) > 0 ? (
        <SearchField
          ref={field}
          icon={<Search size={14} aria-hidden />}
          label={words.search}
          value={q}
          onChange={search}
        />
      ) : null}
      {asked === "" ? (
        <>
          <Card flush title={words.servers}>
            <QueryList small query={query} empty={empty}>
              {server => (
                <SourceRow
                  key={server.id}
                  to="/w/$w/tools/servers/$id"
                  source={server}
                  icon={<Server size={16} aria-hidden />}
                  detail={`${words.tools(server.toolCount)} · ${server.url}`}
                />
              )}
            </QueryList>
          </Card>
          <Card flush title={words.api.heading}>
            <QueryList
              query={apis}
              small
              empty={
                <Empty small icon={<Plug size={20} aria-hidden />} title={words.api.empty} action={addApi}>
                  {words.api.emptyDetail}
                </Empty>
              }
            >
              {api => (
                <SourceRow
                  key={api.id}
                  to="/w/$w/tools/apis/$id"
                  source={api}
                  icon={<Plug size={16} aria-hidden />}
                  detail={[words.api.operations(api.operationCount), api.baseUrl ?? api.serverUrl ?? api.url]
                    .filter(Boolean)
                    .join(" · ")}
                />
              )}
            </QueryList>
          </Card>
        </>
      ) : (
        <Found
          query={asked}
          onClear={() => {
            field.current?.focus();
            search("");
          }}
        />
      )}
      {adds === "server" ? (
        <ServerDialog
          onClose={() => setAdds(undefined)}
          onSaved={({ id, name }) => {
            toast.done(words.added(name));
            void navigate({ to: "/w/$w/tools/servers/$id", params: { w, id } });
          }}
        />
      ) : null}
      {adds === "api" ? (
        <ApiDialog
          onClose={() => setAdds(undefined)}
          onSaved={({ id, name }) => {
            toast.done(words.added(name));
            void navigate({ to: "/w/$w/tools/apis/$id", params: { w, id } });
          }}
        />
      ) : null}
    </Page>
  );
}
