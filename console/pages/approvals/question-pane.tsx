import { Link } from "@tanstack/react-router";
import type { RefObject } from "react";
import { renewQuestions } from "../../data/approvals.ts";
import { runPath } from "../../data/paths.ts";
import { type Asked, questionKey } from "../../data/question-address.ts";
import { useMe } from "../../data/session.ts";
import { m } from "../../messages/index.ts";
import { OutcomeView } from "../../question/outcome-view.tsx";
import { QuestionForm, type QuestionHandle } from "../../question/question-form.tsx";
import { useAskingRun } from "../../question/use-asking-run.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";
import styles from "./approvals.module.css";

interface QuestionPaneProps {
  executionId: string;
  asked: Asked;
  handle: RefObject<QuestionHandle | null>;
  /** The question has been answered, by the person or by another one. */
  onOver: () => void;
  onNext: (() => void) | undefined;
}

/** One question, from its form to what came of it. */
export function QuestionPane({ executionId, asked, handle, onOver, onNext }: QuestionPaneProps) {
  const workspace = useWorkspace();
  const { id: userId } = useMe();
  const { state, retry, answered, late } = useAskingRun(workspace.id, executionId, asked);
  const over = () => {
    onOver();
    void renewQuestions(workspace.id);
  };
  switch (state.step) {
    case "loading":
      return <SkeletonRows rows={4} />;
    case "failed":
      return <Failure problem={state.problem} onRetry={retry} />;
    case "open":
      return (
        <>
          <QuestionForm
            key={questionKey(state.asked)}
            ref={handle}
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
          <p className={styles.foot}>
            <Link to={runPath(workspace.slug, state.run)}>{m.question.details}</Link>
          </p>
        </>
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
          {onNext ? (
            <Button tone="primary" onClick={onNext}>
              {m.question.next}
            </Button>
          ) : null}
          <Link className={buttonClass({})} to={runPath(workspace.slug, state.run)}>
            {m.question.details}
          </Link>
        </OutcomeView>
      );
    }
  }
}
