import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type AnsweredQuestion, answerDataQuery } from "../../data/answers.ts";
import { runPath } from "../../data/paths.ts";
import { problemOf } from "../../data/problem.ts";
import { useMe } from "../../data/session.ts";
import { answerTexts } from "../../messages/en-answers.ts";
import { CopyLink } from "../../question/copy-link.tsx";
import { OutcomeView } from "../../question/outcome-view.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/button.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";

/** An answered question: who answered, when, and with which data. */
export function AnswerPane({ one }: { one: AnsweredQuestion }) {
  const { id: workspaceId, slug } = useWorkspace();
  const { id: userId } = useMe();
  const { data, error, refetch } = useQuery(answerDataQuery(workspaceId, one));
  if (data === undefined) {
    return error ? (
      <Failure problem={problemOf(error)} onRetry={() => void refetch()} small />
    ) : (
      <SkeletonRows rows={4} />
    );
  }
  const { executionId: id, spaceId, approved, answeredBy: by, answeredAt: at } = one;
  return (
    <OutcomeView
      outcome={{ kind: "answered", approved, data, by, at }}
      prompt={one.prompt}
      by={one.answeredByName}
      byMe={by === userId}
      late={false}
    >
      <Link className={buttonClass({})} to={runPath(slug, { spaceId, id })}>
        {answerTexts.question.details}
      </Link>
      <CopyLink run={{ workspaceId, id }} asked={one} />
    </OutcomeView>
  );
}
