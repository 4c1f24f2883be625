import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { BrainCircuit, Plus, Search } from "lucide-react";
import { useCallback, useDeferredValue, useRef, useState } from "react";
import {
  foundMemoriesQuery,
  memoriesQuery,
  type Memory,
  type MemoryPlace,
  type MemoryView,
} from "../../data/memory.ts";
import { useMe } from "../../data/session.ts";
import { words } from "../../messages/en-memory.ts";
import { m } from "../../messages/index.ts";
import { QueryList } from "../../shell/query-list.tsx";
import { PagedList } from "../../shell/paged-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
import { useCommands } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/page.tsx";
import rows from "../../ui/rows.module.css";
import { SearchField } from "../../ui/search-field.tsx";
import { Empty, Notice } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import knowledge from "../knowledge/knowledge.module.css";
import { Filters } from "./filters.tsx";
import { MemoryDialog } from "./memory-dialog.tsx";
import styles from "./memory.module.css";
import { RememberDialog } from "./remember-dialog.tsx";
import type { MemorySearch } from "./search.ts";
import { Subjects } from "./subjects.tsx";
import subjects from "./subjects.module.css";
import { TimeSlider } from "./time-slider.tsx";

function Row({ memory, score, onOpen }: { memory: Memory; score?: number | undefined; onOpen: () => void }) {
  const { content, factType, source, scope, threadId, confidence, createdAt, supersededById } = memory;
  const place =
    scope === "thread" ? words.inThread(threadId ?? "") : scope === "workflow" ? words.inWorkflow : undefined;
  const facts = [words.kinds[factType] ?? factType, words.source[source], place];
  return (
    <li className={`${rows.row} ${knowledge.row}`} data-off={supersededById !== null || undefined}>
      <BrainCircuit size={16} aria-hidden />
      <div className={rows.text}>
        <button type="button" className={`${styles.statement} ${knowledge.link}`} onClick={onOpen}>
          {content}
        </button>
        <span className={rows.detail}>
          {facts.filter(Boolean).join(" · ")} · <Time at={createdAt} />
          {confidence < 1 ? ` · ${words.confidence(m.percent(confidence))}` : ""}
        </span>
      </div>
      {supersededById === null ? null : <span className={styles.tag}>{words.wasSuperseded}</span>}
      {score === undefined ? null : <span className={rows.detail}>{words.score(score.toFixed(2))}</span>}
    </li>
  );
}

/** The scope of a new memory, with the selected thread or workflow. */
function placeOf(userId: string, { thread, workflow }: MemorySearch): MemoryPlace {
  if (thread !== undefined) return { userId, scope: "thread", threadId: thread };
  return workflow === undefined ? { userId } : { userId, scope: "workflow", workflowId: workflow };
}

/** The memories about one person, now or as of an earlier time. */
export function MemoryPage() {
  const { id: workspaceId } = useWorkspace();
  const { id: myId } = useMe();
  const given = useSearch({ from: "/authed/w/$w/memory" });
  const navigate = useNavigate({ from: "/w/$w/memory" });
  const { who = myId, thread, workflow, scope, kind, asOf, superseded, q = "" } = given;
  const about = { userId: who, threadId: thread, workflowId: workflow };
  const view: MemoryView = { ...about, scope, factType: kind, asOf, superseded: superseded === "yes" };
  const asked = useDeferredValue(q.trim());
  const all = useInfiniteQuery({ ...memoriesQuery(workspaceId, view), enabled: asked === "" });
  const found = useQuery(foundMemoriesQuery(workspaceId, view, asked));
  const [dialog, setDialog] = useState<"ingest" | "add">();
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ id: "filter", title: m.shortcut.filter, keys: "/", run: () => field.current?.focus() }]);
  const search = useCallback(
    (change: MemorySearch) =>
      void navigate({ search: before => ({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  const isNarrow = [thread, workflow, scope, kind, asOf, superseded].some(one => one !== undefined);
  const add = (
    <RoleButton least="editor" onClick={() => setDialog("add")}>
      {words.add}
    </RoleButton>
  );
  const ingest = (
    <RoleButton least="editor" tone="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setDialog("ingest")}>
      {words.ingest}
    </RoleButton>
  );
  const isEmpty = asked === "" && !isNarrow && all.data?.pages[0]?.items.length === 0;
  const empty = (
    <Empty
      icon={<BrainCircuit size={20} aria-hidden />}
      title={isNarrow ? words.emptyView : words.empty}
      action={
        isNarrow ? null : (
          <>
            {ingest}
            {add}
          </>
        )
      }
    >
      {isNarrow ? words.emptyViewDetail : words.emptyDetail}
    </Empty>
  );
  const noMatch = (
    <Empty
      icon={<Search size={20} aria-hidden />}
      title={words.noMatch}
      action={<Button onClick={() => search({ q: undefined })}>{m.clear}</Button>}
    />
  );
  const row = (memory: Memory & { score?: number }) => (
    <Row key={memory.id} memory={memory} score={memory.score} onOpen={() => search({ m: memory.id })} />
  );
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        isEmpty ? null : (
          <>
            {add}
            {ingest}
          </>
        )
      }
    >
      <div className={subjects.split}>
        <Subjects given={given} search={search} />
        <div className={subjects.main}>
          <Filters given={given} search={search} />
          <div className={styles.tools}>
            <SearchField
              ref={field}
              className={knowledge.search}
              icon={<Search size={14} aria-hidden />}
              label={words.search}
              value={q}
              onChange={next => search({ q: next || undefined })}
            />
            {asked === "" ? <TimeSlider asOf={asOf} onChange={next => search({ asOf: next })} /> : null}
          </div>
          {asked !== "" && found.data?.degraded ? <Notice tone="warn">{words.degraded}</Notice> : null}
          <Card flush>
            {asked === "" ? (
              <PagedList query={all} empty={empty}>
                {row}
              </PagedList>
            ) : (
              <QueryList query={{ ...found, data: found.data?.memories }} empty={noMatch}>
                {row}
              </QueryList>
            )}
          </Card>
        </div>
      </div>
      {given.m === undefined ? null : (
        <MemoryDialog
          key={given.m}
          id={given.m}
          onOpen={id => search({ m: id })}
          onClose={() => search({ m: undefined })}
        />
      )}
      {dialog ? (
        <RememberDialog what={dialog} place={placeOf(who, given)} onClose={() => setDialog(undefined)} />
      ) : null}
    </Page>
  );
}
