import type { Suspension } from "../data/question-address.ts";
import { questionKey } from "../data/question-address.ts";
import { renewQuestions } from "../data/approvals.ts";
import { useMe } from "../data/session.ts";
import type { RunAddress } from "../data/run-types.ts";
import { OutcomeView } from "../question/outcome-view.tsx";
import { QuestionForm } from "../question/question-form.tsx";
import { useAskingRun } from "../question/use-asking-run.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Failure } from "../ui/states.tsx";

/** The question that a step of the run asks, with its form and what comes of it. */
export function AnswerTab({ at, asked }: { at: RunAddress; asked: Suspension }) {
  const { id: userId } = useMe();
  const { state, retry, answered, late } = useAskingRun(at.workspaceId, at.id, asked);
  const over = () => void renewQuestions(at.workspaceId);
  switch (state.step) {
    case "loading":
      return <SkeletonRows rows={4} />;
    case "failed":
      return <Failure problem={state.problem} onRetry={retry} small />;
    case "open":
      return (
        <QuestionForm
          key={questionKey(state.asked)}
          run={state.run}
          asked={state.asked}
          userId={userId}
          canAnswer={state.canAnswer}
          whoMay={state.whoMay}
          onAnswered={(approved, data) => {
            answered(userId, approved, data);
            over();
          }}
          onLate={() => void late().then(over)}
        />
      );
    case "over": {
      const by = state.outcome.kind === "answered" ? state.outcome.by : undefined;
      return (
        <OutcomeView
          outcome={state.outcome}
          prompt={state.prompt}
          by={by === undefined ? undefined : state.name(by)}
          byMe={by === userId}
          late={state.late}
        >
          {null}
        </OutcomeView>
      );
    }
  }
}
