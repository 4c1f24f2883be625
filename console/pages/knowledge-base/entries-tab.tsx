import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Plus, Search, StickyNote } from "lucide-react";
import { useDeferredValue, useRef, useState } from "react";
import { entriesQuery, entriesWithQuery, type KnowledgeEntry } from "../../data/knowledge.ts";
import { words } from "../../messages/en-knowledge.ts";
import { m } from "../../messages/index.ts";
import { QueryList } from "../../shell/query-list.tsx";
import { PagedList } from "../../shell/paged-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
import { useCommands } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { cx } from "../../ui/cx.ts";
import cut from "../../ui/cut.module.css";
import rows from "../../ui/rows.module.css";
import { SearchField } from "../../ui/search-field.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import knowledge from "../knowledge/knowledge.module.css";
import styles from "./base.module.css";
import { EntryDialog } from "./entry-dialog.tsx";
import { sourceOf } from "./source.ts";
import type { BaseSearch } from "./search.ts";

/** The most characters of an entry that the list shows. */
const SHOWN = 220;

function Row({ entry, onOpen }: { entry: KnowledgeEntry; onOpen: () => void }) {
  const { content, embeddingStatus, createdAt } = entry;
  const source = sourceOf(entry);
  return (
    <li className={`${rows.row} ${knowledge.row}`}>
      <StickyNote size={16} aria-hidden />
      <div className={rows.text}>
        <button type="button" className={cx(styles.excerpt, knowledge.link, cut.line)} onClick={onOpen}>
          {content.slice(0, SHOWN)}
        </button>
        <span className={rows.detail}>
          {source ? `${source} · ` : ""}
          <Time at={createdAt} /> · {words.entry.statusShort[embeddingStatus]}
        </span>
      </div>
    </li>
  );
}

interface EntriesTabProps {
  baseId: string;
  given: BaseSearch;
  search: (change: BaseSearch) => void;
}

/** The entries of a base, newest first, or the ones that contain the search words. */
export function EntriesTab({ baseId, given: { q = "", e }, search }: EntriesTabProps) {
  const { id: workspaceId } = useWorkspace();
  const asked = useDeferredValue(q.trim());
  const all = useInfiniteQuery({ ...entriesQuery(workspaceId, baseId), enabled: q === "" });
  const found = useQuery(entriesWithQuery(workspaceId, baseId, asked));
  const [adds, setAdds] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ id: "filter", title: m.shortcut.filter, keys: "/", run: () => field.current?.focus() }]);
  const row = (entry: KnowledgeEntry) => <Row key={entry.id} entry={entry} onOpen={() => search({ e: entry.id })} />;
  const none = (
    <Empty small icon={<StickyNote size={20} aria-hidden />} title={words.entry.empty}>
      {words.entry.emptyDetail}
    </Empty>
  );
  const noMatch = (
    <Empty
      small
      icon={<Search size={20} aria-hidden />}
      title={words.entry.noMatch}
      action={
        <>
          <Button onClick={() => search({ tab: "search" })}>{words.entry.byMeaning}</Button>
          <Button tone="quiet" onClick={() => search({ q: undefined })}>
            {m.clear}
          </Button>
        </>
      }
    />
  );
  return (
    <>
      <div className={styles.tools}>
        <SearchField
          ref={field}
          className={knowledge.search}
          icon={<Search size={14} aria-hidden />}
          label={words.entry.search}
          value={q}
          onChange={next => search({ q: next || undefined })}
        />
        <RoleButton least="editor" icon={<Plus size={14} aria-hidden />} onClick={() => setAdds(true)}>
          {words.entry.add}
        </RoleButton>
      </div>
      <Card flush>
        {q === "" ? (
          <PagedList query={all} empty={none}>
            {row}
          </PagedList>
        ) : (
          <QueryList small query={found} empty={noMatch}>
            {row}
          </QueryList>
        )}
      </Card>
      {adds ? <EntryDialog baseId={baseId} entryId={undefined} onClose={() => setAdds(false)} /> : null}
      {e === undefined ? null : (
        <EntryDialog key={e} baseId={baseId} entryId={e} onClose={() => search({ e: undefined })} />
      )}
    </>
  );
}
