import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { BookOpen, ChevronRight, Plus, Search } from "lucide-react";
import { useRef, useState } from "react";
import { type KnowledgeBaseSummary, knowledgeBasesQuery } from "../../data/knowledge.ts";
import { bytesText } from "../../messages/bytes.ts";
import { words } from "../../messages/en-knowledge.ts";
import { m } from "../../messages/index.ts";
import { QueryList } from "../../shell/query-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
import { useCommands } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { SearchField } from "../../ui/search-field.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { BaseDialog } from "./base-dialog.tsx";
import styles from "./knowledge.module.css";

/** From this many bases on, the page shows a filter. */
const FOR_FILTER = 8;

function Row({ base }: { base: KnowledgeBaseSummary }) {
  const { slug: w } = useWorkspace();
  return (
    <li className={`${rows.row} ${styles.row}`}>
      <BookOpen size={16} aria-hidden />
      <div className={rows.text}>
        <Link to="/w/$w/knowledge/$id" params={{ w, id: base.id }} className={`${rows.name} ${styles.link}`}>
          {base.name}
        </Link>
        {base.description ? <span className={rows.detail}>{base.description}</span> : null}
        <span className={rows.detail}>
          {words.entries(base.entryCount)}
          {base.entryBytes ? ` · ${bytesText(base.entryBytes)}` : null}
          {base.updatedAt === undefined ? null : (
            <>
              {" "}
              · {words.changed} <Time at={base.updatedAt} />
            </>
          )}
        </span>
      </div>
      <ChevronRight size={16} aria-hidden className={styles.go} />
    </li>
  );
}

/** The knowledge bases of the workspace. */
export function KnowledgePage() {
  const { id: workspaceId, slug: w } = useWorkspace();
  const { q = "" } = useSearch({ from: "/authed/w/$w/knowledge" });
  const navigate = useNavigate();
  const query = useQuery(knowledgeBasesQuery(workspaceId));
  const [makes, setMakes] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ id: "filter", title: m.shortcut.filter, keys: "/", run: () => field.current?.focus() }]);
  const search = (next: string) =>
    void navigate({ to: "/w/$w/knowledge", params: { w }, search: { q: next || undefined }, replace: true });
  const shown = query.data?.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()));
  const make = (
    <RoleButton least="editor" tone="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setMakes(true)}>
      {words.make}
    </RoleButton>
  );
  const empty =
    q === "" ? (
      <Empty icon={<BookOpen size={20} aria-hidden />} title={words.empty} action={make}>
        {words.emptyDetail}
      </Empty>
    ) : (
      <Empty
        icon={<Search size={20} aria-hidden />}
        title={words.noMatch}
        action={<Button onClick={() => search("")}>{words.clear}</Button>}
      />
    );
  return (
    <Page title={words.title} lead={words.lead} actions={query.data?.length === 0 && q === "" ? null : make}>
      {q !== "" || (query.data?.length ?? 0) >= FOR_FILTER ? (
        <SearchField
          ref={field}
          className={styles.search}
          icon={<Search size={14} aria-hidden />}
          label={words.filter}
          value={q}
          onChange={search}
        />
      ) : null}
      <Card flush>
        <QueryList query={{ ...query, data: shown }} empty={empty}>
          {base => <Row key={base.id} base={base} />}
        </QueryList>
      </Card>
      {makes ? (
        <BaseDialog
          onClose={() => setMakes(false)}
          onSaved={({ id, name }) => {
            toast.done(words.made(name));
            void navigate({ to: "/w/$w/knowledge/$id", params: { w, id } });
          }}
        />
      ) : null}
    </Page>
  );
}
