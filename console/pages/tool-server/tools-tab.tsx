import { useQuery } from "@tanstack/react-query";
import { Search, Wrench } from "lucide-react";
import { useRef } from "react";
import { isRecord } from "../../data/json.ts";
import { descriptionOf } from "../../data/tool-description.ts";
import { type McpTool, type Source, sourceToolsQuery } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { m } from "../../messages/index.ts";
import { QueryList } from "../../shell/query-list.tsx";
import { useCommands } from "../../shell/shortcuts.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Card } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { SearchField } from "../../ui/search-field.tsx";
import { Empty } from "../../ui/states.tsx";
import knowledge from "../knowledge/knowledge.module.css";
import type { ServerSearch } from "./search.ts";
import styles from "./server.module.css";

function takes({ inputSchema }: McpTool): string {
  const names = isRecord(inputSchema.properties) ? Object.keys(inputSchema.properties) : [];
  return names.length === 0 ? words.takesNothing : words.takes(names.join(", "));
}

const detailOf = (tool: McpTool) => descriptionOf(tool).slice(0, 300);

const placeOf = ({ operation, name }: McpTool) => (operation ? `${operation.path} ${operation.method}` : name);

function Row({ tool, onOpen }: { tool: McpTool; onOpen: () => void }) {
  return (
    <li className={`${rows.row} ${knowledge.row}`}>
      <Wrench size={16} aria-hidden />
      <div className={rows.text}>
        <button type="button" className={`${rows.name} ${styles.open} ${knowledge.link}`} onClick={onOpen}>
          {tool.title ?? tool.name}
        </button>
        {detailOf(tool) === "" ? null : <span className={rows.detail}>{detailOf(tool)}</span>}
        <span className={rows.detail}>
          {tool.operation ? `${tool.operation.method} ${tool.operation.path} · ` : ""}
          {takes(tool)}
        </span>
      </div>
    </li>
  );
}

/** Says why a server has no tools to show, and what to do about it. Viewers cannot change the server. */
function whyNone({ lastSyncedAt, status }: Source, mayEdit: boolean): { title: string; detail: string } {
  if (lastSyncedAt !== null) return { title: words.noTools, detail: words.noToolsDetail };
  return status === "error"
    ? { title: words.notRead, detail: mayEdit ? words.notReadDetail : words.notReadViewer }
    : { title: words.beingRead, detail: words.beingReadDetail };
}

interface ToolsTabProps {
  server: Source;
  given: ServerSearch;
  search: (change: ServerSearch) => void;
}

/** The tools of a server. */
export function ToolsTab({ server, given: { q = "" }, search }: ToolsTabProps) {
  const { id: workspaceId, role } = useWorkspace();
  const query = useQuery(sourceToolsQuery(workspaceId, server));
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ id: "filter", title: m.shortcut.filter, keys: "/", run: () => field.current?.focus() }]);
  const none = whyNone(server, includesRole(role, "editor"));
  const shown = query.data
    ?.filter(tool =>
      `${tool.name} ${tool.title ?? ""} ${tool.description} ${placeOf(tool)}`.toLowerCase().includes(q.toLowerCase()),
    )
    .sort((a, b) => placeOf(a).localeCompare(placeOf(b), "en", { numeric: true }));
  return (
    <>
      {query.data?.length === 0 && q === "" ? null : (
        <SearchField
          ref={field}
          className={knowledge.search}
          icon={<Search size={14} aria-hidden />}
          label={words.filter}
          value={q}
          onChange={next => search({ q: next || undefined })}
        />
      )}
      <Card flush>
        <QueryList
          small
          query={{ ...query, data: shown }}
          empty={
            <Empty small icon={<Wrench size={20} aria-hidden />} title={q === "" ? none.title : words.noMatch}>
              {q === "" ? none.detail : undefined}
            </Empty>
          }
        >
          {tool => <Row key={tool.id} tool={tool} onOpen={() => search({ tool: tool.id })} />}
        </QueryList>
      </Card>
    </>
  );
}
