import { useInfiniteQuery } from "@tanstack/react-query";
import { type AnsweredQuestion, answersQuery } from "../../data/answers.ts";
import { openKey } from "../../data/approvals.ts";
import { answerTexts } from "../../messages/en-answers.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Card } from "../../ui/page.tsx";
import { AnswerList } from "./answer-list.tsx";

const SHOWN = 5;

/** The last answered questions, shown when no question is open. */
export function LastAnswers({ onOpen }: { onOpen: (one: AnsweredQuestion) => void }) {
  const { data } = useInfiniteQuery(answersQuery(useWorkspace().id, {}));
  const answers = data?.pages[0]?.items.slice(0, SHOWN) ?? [];
  if (answers.length === 0) return null;
  return (
    <Card flush title={answerTexts.approvals.answered.last}>
      <AnswerList answers={answers} selected={undefined} keyOf={one => openKey(one.executionId, one)} onOpen={onOpen} />
    </Card>
  );
}
