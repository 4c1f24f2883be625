import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ChevronsUpDown, MessageSquareText, UserRound, Workflow } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from "react";
import { heldSubjectsQuery, peopleQuery, type MemorySubject } from "../../data/memory.ts";
import { problemOf } from "../../data/problem.ts";
import { useMe } from "../../data/session.ts";
import { membersQuery } from "../../data/workspaces.ts";
import { words } from "../../messages/en-memory.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";
import { useMedia } from "../../ui/use-media.ts";
import type { MemorySearch } from "./search.ts";
import styles from "./subjects.module.css";

/** The service counts the memories of a subject up to this number. */
const MAX_COUNT = 1_000;

interface Choice {
  who: string;
  thread?: string | undefined;
  workflow?: string | undefined;
}

interface SubjectProps {
  icon: ReactNode;
  name: string;
  /** Undefined while it loads. */
  memories: number | undefined;
  chosen: boolean;
  onChoose: () => void;
  children?: ReactNode;
}

function Subject({ icon, name, memories, chosen, onChoose, children }: SubjectProps) {
  return (
    <li>
      <button type="button" className={styles.subject} aria-current={chosen || undefined} onClick={onChoose}>
        {icon}
        <span className={styles.name}>{name}</span>
        {memories === undefined ? null : (
          <span className={styles.count} aria-label={words.statements(memories)}>
            {memories < MAX_COUNT ? m.number(memories) : words.atLeast(m.number(memories))}
          </span>
        )}
      </button>
      {children}
    </li>
  );
}

/** The threads and workflows that hold memories about a person. */
function Places({ who, thread, workflow, choose }: Choice & { choose: (choice: Choice) => void }) {
  const { id: workspaceId } = useWorkspace();
  const threads = useQuery(heldSubjectsQuery(workspaceId, who, "thread")).data ?? [];
  const workflows = useQuery(heldSubjectsQuery(workspaceId, who, "workflow")).data ?? [];
  if (threads.length + workflows.length === 0) return null;
  return (
    <ul className={styles.places}>
      {threads.map(({ id, memories }) => (
        <Subject
          key={`thread ${id}`}
          icon={<MessageSquareText size={14} aria-label={words.thread} />}
          name={id}
          memories={memories}
          chosen={thread === id}
          onChoose={() => choose({ who, thread: id })}
        />
      ))}
      {workflows.map(({ id, name, memories }) => (
        <Subject
          key={`workflow ${id}`}
          icon={<Workflow size={14} aria-label={words.workflow} />}
          name={name ?? words.deletedWorkflow}
          memories={memories}
          chosen={workflow === id}
          onChoose={() => choose({ who, workflow: id })}
        />
      ))}
    </ul>
  );
}

/** Opens a person without memories, by the id that runs will use. */
function Other({ choose }: { choose: (choice: Choice) => void }) {
  const [asks, setAsks] = useState(false);
  const [typed, setTyped] = useState("");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (typed.trim() === "") return;
    choose({ who: typed.trim() });
    setAsks(false);
    setTyped("");
  };
  if (!asks) {
    return (
      <Button size="small" tone="quiet" onClick={() => setAsks(true)}>
        {words.other}
      </Button>
    );
  }
  return (
    <form className={styles.other} onSubmit={submit}>
      <TextField
        label={words.otherId}
        hint={words.otherHint}
        required
        // eslint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed
        autoFocus
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      <Button type="submit">{words.show}</Button>
    </form>
  );
}

/** The user, all people with memories, and then the other members. The selected person is always among them. */
function usePeople(who: string) {
  const { id: workspaceId } = useWorkspace();
  const { id: myId } = useMe();
  const query = useInfiniteQuery(peopleQuery(workspaceId));
  const { data: members = [] } = useQuery(membersQuery(workspaceId));
  const known = new Map<string, MemorySubject>();
  for (const { items } of query.data?.pages ?? []) for (const one of items) known.set(one.id, one);
  const colleagues = members.filter(({ userId }) => userId !== myId);
  const named = new Map([
    [myId, words.you],
    ...colleagues.map(({ userId, name, email }) => [userId, name ?? email ?? userId] as const),
  ]);
  const ids = new Set([myId, ...known.keys(), ...named.keys(), who]);
  const countOf = (id: string) => known.get(id)?.memories ?? (query.data ? 0 : undefined);
  const people = [...ids].map(id => ({ id, name: named.get(id) ?? id, memories: countOf(id) }));
  return { query, people };
}

/** Scrolls a list to its current item if that is out of sight. `scrollIntoView` would scroll the page as well. */
function showCurrent(list: HTMLElement): void {
  const current = list.querySelector<HTMLElement>("[aria-current]");
  if (!current) return;
  const top = current.offsetTop - list.scrollTop;
  if (top < 0 || top + current.offsetHeight > list.clientHeight) {
    list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }
}

/** Lets the user select a person, and a thread or workflow with memories about that person. */
export function Subjects({ given, search }: { given: MemorySearch; search: (change: MemorySearch) => void }) {
  const { id: myId } = useMe();
  const { who = myId, thread, workflow } = given;
  const { query, people } = usePeople(who);
  const isNarrow = useMedia("(max-width: 899px)");
  const [open, setOpen] = useState(false);
  const choose = ({ who: next, ...place }: Choice) => {
    setOpen(false);
    const none = { thread: undefined, workflow: undefined, scope: undefined, m: undefined };
    search({ ...none, ...place, who: next === myId ? undefined : next });
  };
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const side = useRef<HTMLElement>(null);
  const isRead = data !== undefined;
  // In a long list, the selected person may be out of sight when the page opens.
  useEffect(() => {
    if (isRead && side.current) showCurrent(side.current);
  }, [isRead, who, thread, workflow]);
  const list = (
    <>
      {error && !data ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
      <ul>
        {people.map(({ id, name, memories }) => (
          <Subject
            key={id}
            icon={<UserRound size={14} aria-hidden />}
            name={name}
            memories={memories}
            chosen={who === id && thread === undefined && workflow === undefined}
            onChoose={() => choose({ who: id })}
          >
            {who === id ? <Places who={who} thread={thread} workflow={workflow} choose={choose} /> : null}
          </Subject>
        ))}
      </ul>
      {data || error ? null : <SkeletonRows rows={2} />}
      {hasNextPage ? (
        <Button size="small" tone="quiet" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {m.runs.more}
        </Button>
      ) : null}
      <Other choose={choose} />
    </>
  );
  if (!isNarrow) {
    return (
      <nav ref={side} className={styles.side} aria-label={words.about}>
        {list}
      </nav>
    );
  }
  const name = people.find(({ id }) => id === who)?.name ?? who;
  return (
    <nav className={styles.fold} aria-label={words.about}>
      <Button aria-expanded={open} icon={<ChevronsUpDown size={14} aria-hidden />} onClick={() => setOpen(!open)}>
        {words.aboutWhom(name, thread)}
      </Button>
      {open ? <div className={styles.side}>{list}</div> : null}
    </nav>
  );
}
