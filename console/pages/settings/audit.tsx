import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download, ScrollText } from "lucide-react";
import { useId, useState } from "react";
import { type AuditFilters, auditQuery, MAX_EXPORTED, readAudit } from "../../data/audit.ts";
import { csvOf } from "../../data/audit-csv.ts";
import { problemOf } from "../../data/problem.ts";
import { membersQuery } from "../../data/workspaces.ts";
import { actionOf, actionText, auditActions } from "../../messages/en-audit-actions.ts";
import { auditKinds, kindText, words } from "../../messages/en-audit.ts";
import { PagedList } from "../../shell/paged-list.tsx";
import { NeedsAdmin } from "../../shell/admins.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { save } from "../../ui/save.ts";
import { Select } from "../../ui/select.tsx";
import { Empty } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { Entry } from "./audit-entry.tsx";
import styles from "./audit.module.css";

const ANY = "any";
const KINDS = [...auditKinds.keys()];

function Filters({ given, onChange }: { given: AuditFilters; onChange: (change: AuditFilters) => void }) {
  const { id: workspaceId } = useWorkspace();
  const { data: members = [] } = useQuery(membersQuery(workspaceId));
  const [action, setAction] = useState(given.action === undefined ? "" : actionText(given.action));
  const [isUnclear, setUnclear] = useState(false);
  const known = useId();
  const apply = () => {
    const next = action.trim() === "" ? undefined : actionOf(action);
    setUnclear(next === undefined && action.trim() !== "");
    if (next !== given.action && (next !== undefined || action.trim() === "")) onChange({ action: next });
  };
  return (
    <div className={styles.filters} role="search">
      <Select
        label={words.who}
        value={given.who ?? ANY}
        options={[
          { value: ANY, label: words.anybody },
          ...members.map(({ userId, name, email }) => ({ value: userId, label: name ?? email ?? userId })),
        ]}
        onChange={next => onChange({ who: next === ANY ? undefined : next })}
      />
      <Select
        label={words.resource}
        value={given.kind ?? ANY}
        options={[
          { value: ANY, label: words.anyResource },
          ...[...new Set([...KINDS, ...(given.kind ? [given.kind] : [])])].map(value => ({
            value,
            label: kindText(value),
          })),
        ]}
        onChange={next => onChange({ kind: next === ANY ? undefined : next })}
      />
      <TextField
        label={words.action}
        placeholder={words.anyAction}
        error={isUnclear ? words.chooseAction : undefined}
        list={known}
        spellCheck={false}
        maxLength={100}
        value={action}
        onChange={event => {
          setAction(event.target.value);
          setUnclear(false);
        }}
        // Applies on Enter, because the filter needs the full text and not each letter.
        onKeyDown={({ key }) => key === "Enter" && apply()}
        onBlur={apply}
      />
      <datalist id={known}>
        {[...auditActions].map(([code, text]) => (
          <option key={code} value={text} />
        ))}
      </datalist>
      <TextField
        label={words.from}
        type="date"
        value={given.from ?? ""}
        onChange={event => onChange({ from: event.target.value || undefined })}
      />
      <TextField
        label={words.to}
        type="date"
        value={given.to ?? ""}
        onChange={event => onChange({ to: event.target.value || undefined })}
      />
    </div>
  );
}

function Export({ filters }: { filters: AuditFilters }) {
  const { id: workspaceId, slug } = useWorkspace();
  const [read, setRead] = useState<number>();
  const start = async () => {
    setRead(0);
    try {
      const entries = await readAudit(workspaceId, filters, setRead);
      save(csvOf(entries), `audit-${slug}.csv`, "text/csv");
      if (entries.length >= MAX_EXPORTED) toast.failed(words.cut(MAX_EXPORTED));
      else toast.done(words.exported(entries.length));
    } catch (error) {
      toast.problem(problemOf(error));
    } finally {
      setRead(undefined);
    }
  };
  return (
    <Button icon={<Download size={14} aria-hidden />} busy={read !== undefined} onClick={() => void start()}>
      {read === undefined ? words.csv : words.exporting(read)}
    </Button>
  );
}

function Log() {
  const { id: workspaceId, slug: w } = useWorkspace();
  const { who, action, kind, from, to } = useSearch({ from: "/authed/w/$w/settings/$tab" });
  const filters: AuditFilters = { who, action, kind, from, to };
  const navigate = useNavigate();
  const query = useInfiniteQuery(auditQuery(workspaceId, filters));
  const isFiltered = Object.values(filters).some(one => one !== undefined);
  const search = (next: AuditFilters) =>
    void navigate({ to: "/w/$w/settings/$tab", params: { w, tab: "audit" }, search: next, replace: true });
  return (
    <Card flush title={words.title} lead={words.lead} aside={<Export filters={filters} />}>
      <Filters key={action} given={filters} onChange={change => search({ ...filters, ...change })} />
      <PagedList
        query={query}
        empty={
          <Empty
            small
            icon={<ScrollText size={20} aria-hidden />}
            title={isFiltered ? words.noMatch : words.empty}
            action={isFiltered ? <Button onClick={() => search({})}>{words.clear}</Button> : undefined}
          >
            {isFiltered ? undefined : words.emptyDetail}
          </Empty>
        }
      >
        {entry => <Entry key={entry.id} entry={entry} />}
      </PagedList>
    </Card>
  );
}

/** The audit log: who changed what and when. Only admins may read it. */
export function AuditSection() {
  const { role } = useWorkspace();
  if (includesRole(role, "admin")) return <Log />;
  return (
    <Card flush title={words.title} lead={words.lead}>
      <NeedsAdmin />
    </Card>
  );
}
