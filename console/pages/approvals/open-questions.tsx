import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { MessageCircleQuestion } from "lucide-react";
import { useRef, useState } from "react";
import { byWorkflow, keyOfOpen, openKey, type OpenQuestion, questionsQuery, type Shown } from "../../data/approvals.ts";
import { problemOf } from "../../data/problem.ts";
import { type Asked, pathOf, pathText } from "../../data/question-address.ts";
import { answerTexts } from "../../messages/en-answers.ts";
import { words } from "../../messages/en-bulk-answers.ts";
import type { QuestionHandle } from "../../question/question-form.tsx";
import { useCommands } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import styles from "./approvals.module.css";
import { BulkPane } from "./bulk-pane.tsx";
import { LastAnswers } from "./last-answers.tsx";
import { QuestionList } from "./question-list.tsx";
import { QuestionPane } from "./question-pane.tsx";
import { SplitView, useSplitFocus } from "./split-view.tsx";
import { useSelectedQuestions } from "./use-selected-questions.ts";

const FROM = "/authed/w/$w/approvals";

interface Selected {
  executionId: string;
  asked: Asked;
}

const selectedOf = ({ executionId, nodeId, path, question }: OpenQuestion): Selected => ({
  executionId,
  asked: { nodeId, path, question },
});

/** The open questions, with the selected one beside the list. */
export function OpenQuestions({ shown }: { shown: Shown }) {
  const { id: workspaceId } = useWorkspace();
  const search = useSearch({ from: FROM });
  const query = useInfiniteQuery(questionsQuery(workspaceId, shown));
  const navigate = useNavigate({ from: "/w/$w/approvals" });
  const pane = useRef<QuestionHandle>(null);
  const marked = useSelectedQuestions();
  const isMarked = marked.questions.size > 0;
  // On a narrow screen, the answer replaces the list when all questions are selected.
  const [answering, setAnswering] = useState(false);

  const groups = byWorkflow(query.data?.pages.flatMap(({ items }) => items) ?? []);
  const questions = groups.flatMap(group => group.questions);
  const named: Selected | undefined = search.run
    ? { executionId: search.run, asked: { nodeId: search.n, path: pathOf(search.p), question: search.q } }
    : undefined;
  // A wide screen shows the first question beside the list, without naming it in the address.
  const selected = named ?? (questions[0] && selectedOf(questions[0]));
  const key = selected && openKey(selected.executionId, selected.asked);
  const at = questions.findIndex(one => keyOfOpen(one) === key);

  const open = ({ executionId, asked }: Selected, replace = false) =>
    void navigate({
      search: {
        show: search.show,
        run: executionId,
        n: asked.nodeId,
        p: pathText(asked.path),
        q: asked.question,
      },
      replace,
    });
  const { view, ...focus } = useSplitFocus();
  const step = (by: number) => {
    const n = at < 0 ? 0 : Math.min(Math.max(at + by, 0), questions.length - 1);
    const next = questions[n];
    if (!next) return;
    open(selectedOf(next), true);
    focus.toEntry(n);
  };
  useCommands([
    { id: "question-next", title: answerTexts.approvals.next, keys: "j", run: () => step(1) },
    { id: "question-previous", title: answerTexts.approvals.previous, keys: "k", run: () => step(-1) },
    { id: "question-mark", title: words.toggle, keys: "x", run: () => questions[at] && marked.toggle(questions[at]) },
    { id: "question-approve", title: answerTexts.question.approve, keys: "a", run: () => pane.current?.send(true) },
    { id: "question-reject", title: answerTexts.question.reject, keys: "r", run: () => pane.current?.send(false) },
  ]);

  const following =
    questions.find((one, n) => (at < 0 || n > at) && keyOfOpen(one) !== key) ??
    questions.find(one => keyOfOpen(one) !== key);
  const isEmpty = query.data !== undefined && questions.length === 0 && !query.hasNextPage;
  if (query.data === undefined && query.error) {
    return (
      <Card>
        <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      </Card>
    );
  }
  if (isEmpty && !named && !isMarked) {
    return (
      <>
        <Card>
          <Empty icon={<MessageCircleQuestion size={20} aria-hidden />} title={answerTexts.approvals.empty}>
            {shown === "all" ? answerTexts.approvals.emptyDetail : answerTexts.approvals.emptyFilter[shown]}
          </Empty>
        </Card>
        <LastAnswers
          onOpen={({ executionId: run, nodeId: n, path, question: q }) =>
            void navigate({ search: { show: "answered", run, n, p: pathText(path), q } })
          }
        />
      </>
    );
  }
  return (
    <SplitView
      view={view}
      list={
        query.data &&
        (isEmpty ? (
          <Empty small title={answerTexts.approvals.empty} />
        ) : (
          <>
            {isMarked ? (
              <Button className={styles.answerMarked} tone="primary" onClick={() => setAnswering(true)}>
                {words.answer(marked.questions.size)}
              </Button>
            ) : null}
            <QuestionList
              groups={groups}
              selected={isMarked ? undefined : key}
              onOpen={one => {
                const isShown = keyOfOpen(one) === key;
                open(selectedOf(one), isShown && named !== undefined);
                if (isShown) focus.toPane();
              }}
              marked={marked}
            />
          </>
        ))
      }
      more={query}
      isOpen={named !== undefined || (isMarked && answering)}
      back={answerTexts.approvals.back}
      onBack={() => {
        setAnswering(false);
        void navigate({ search: { show: search.show } });
      }}
    >
      {isMarked ? (
        <BulkPane marked={marked} handle={pane} />
      ) : selected ? (
        <QuestionPane
          key={key}
          executionId={selected.executionId}
          asked={selected.asked}
          handle={pane}
          // An answered question leaves the list, but its outcome stays visible.
          onOver={() => open(selected, true)}
          onNext={following && (() => open(selectedOf(following), true))}
        />
      ) : null}
    </SplitView>
  );
}
