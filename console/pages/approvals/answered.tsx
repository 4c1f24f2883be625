import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { MessageCircleQuestion } from "lucide-react";
import { type AnsweredQuestion, answersQuery } from "../../data/answers.ts";
import { openKey } from "../../data/approvals.ts";
import { problemOf } from "../../data/problem.ts";
import { pathOf, pathText } from "../../data/question-address.ts";
import { workflowsQuery } from "../../data/workflows.ts";
import { membersQuery } from "../../data/workspaces.ts";
import { answerTexts } from "../../messages/en-answers.ts";
import { m } from "../../messages/index.ts";
import { useCommands } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { Select } from "../../ui/select.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { AnswerList } from "./answer-list.tsx";
import { AnswerPane } from "./answer-pane.tsx";
import styles from "./approvals.module.css";
import { QuestionPane } from "./question-pane.tsx";
import { SplitView, useSplitFocus } from "./split-view.tsx";

const ALL = "all";
const words = answerTexts.approvals.answered;
const keyOf = (one: AnsweredQuestion) => openKey(one.executionId, one);

function Filters() {
  const { id } = useWorkspace();
  const { by, workflow } = useSearch({ from: "/authed/w/$w/approvals" });
  const navigate = useNavigate({ from: "/w/$w/approvals" });
  const { data: members = [] } = useQuery(membersQuery(id));
  const { data: workflows = [] } = useQuery(workflowsQuery(id));
  const people = members.map(({ userId, name, email }) => ({ value: userId, label: name ?? email ?? userId }));
  const set = (change: { by?: string | undefined; workflow?: string | undefined }) =>
    void navigate({ search: { show: "answered", by, workflow, ...change } });
  return (
    <div className={styles.filters}>
      <Select
        label={words.by}
        hideLabel
        value={by ?? ALL}
        options={[{ value: ALL, label: words.everybody }, ...people]}
        onChange={next => set({ by: next === ALL ? undefined : next })}
      />
      <Select
        label={words.workflow}
        hideLabel
        value={workflow ?? ALL}
        options={[
          { value: ALL, label: words.workflows },
          ...workflows.map(one => ({ value: one.id, label: one.name })),
        ]}
        onChange={next => set({ workflow: next === ALL ? undefined : next })}
      />
    </div>
  );
}

/** The answered questions, newest first, with the selected one beside the list. */
export function Answered() {
  const { id: workspaceId } = useWorkspace();
  const search = useSearch({ from: "/authed/w/$w/approvals" });
  const navigate = useNavigate({ from: "/w/$w/approvals" });
  const { by, workflow, run } = search;
  const query = useInfiniteQuery(answersQuery(workspaceId, { by, workflow }));
  const answers = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const asked = { nodeId: search.n, path: pathOf(search.p), question: search.q };
  const named = run === undefined ? undefined : openKey(run, asked);
  const at = named === undefined ? 0 : answers.findIndex(one => keyOf(one) === named);
  // A wide screen shows the first answer beside the list, without naming it in the address.
  const selected = answers[at];

  const back = () => void navigate({ search: { show: "answered", by, workflow } });
  const open = ({ executionId, nodeId, path, question }: AnsweredQuestion, replace = false) =>
    void navigate({
      search: { show: "answered", by, workflow, run: executionId, n: nodeId, p: pathText(path), q: question },
      replace,
    });
  const { view, ...focus } = useSplitFocus();
  const step = (by: number) => {
    const n = Math.min(Math.max(at + by, 0), answers.length - 1);
    const next = answers[n];
    if (!next) return;
    open(next, true);
    focus.toEntry(n);
  };
  useCommands([
    { id: "answer-next", title: words.next, keys: "j", run: () => step(1) },
    { id: "answer-previous", title: words.previous, keys: "k", run: () => step(-1) },
  ]);

  const content = () => {
    if (query.data === undefined && query.error) {
      return (
        <Card>
          <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        </Card>
      );
    }
    if (query.data !== undefined && answers.length === 0 && named === undefined) {
      const isFiltered = by !== undefined || workflow !== undefined;
      return (
        <Card>
          <Empty
            icon={<MessageCircleQuestion size={20} aria-hidden />}
            title={isFiltered ? words.noMatch : words.empty}
            action={
              isFiltered ? (
                <Button onClick={() => void navigate({ search: { show: "answered" } })}>{m.runs.clear}</Button>
              ) : undefined
            }
          >
            {isFiltered ? null : words.emptyDetail}
          </Empty>
        </Card>
      );
    }
    return (
      <SplitView
        view={view}
        list={
          query.data && (
            <AnswerList
              answers={answers}
              selected={selected && keyOf(selected)}
              keyOf={keyOf}
              onOpen={one => {
                open(one, one === selected && named !== undefined);
                if (one === selected) focus.toPane();
              }}
            />
          )
        }
        more={query}
        isOpen={named !== undefined}
        back={words.back}
        onBack={back}
      >
        {selected ? (
          <AnswerPane key={keyOf(selected)} one={selected} />
        ) : run !== undefined && query.data ? (
          // The answer is not among those that were loaded.
          <QuestionPane executionId={run} asked={asked} onNext={undefined} />
        ) : null}
      </SplitView>
    );
  };
  return (
    <>
      <Filters />
      {content()}
    </>
  );
}
