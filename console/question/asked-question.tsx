import type { ReactNode, RefObject } from "react";
import { type Asked, questionKey } from "../data/question-address.ts";
import type { AskingRun } from "../data/questions.ts";
import { answerTexts } from "../messages/en-answers.ts";
import { m } from "../messages/index.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Failure } from "../ui/states.tsx";
import { OutcomeView } from "./outcome-view.tsx";
import { QuestionForm, type QuestionHandle } from "./question-form.tsx";
import styles from "./question.module.css";
import { useAskingRun } from "./use-asking-run.ts";

interface AskedQuestionProps {
  workspaceId: string;
  runId: string;
  asked: Asked;
  /** The signed-in user. */
  userId: string;
  handle?: RefObject<QuestionHandle | null> | undefined;
  /** Whether the question fills the screen of a phone. */
  phone?: boolean;
  /** Whether the question is in a narrow column. */
  small?: boolean;
  /** Called when the question has been answered, by anyone. */
  onOver?: () => void;
  /** Content below the form. */
  below?: (run: AskingRun) => ReactNode;
  /** Buttons below the outcome. */
  ways?: (run: AskingRun, asked: Asked) => ReactNode;
}

/** One question of a run: its form, and then its outcome. */
export function AskedQuestion(props: AskedQuestionProps) {
  const { workspaceId, runId, asked, userId, handle, phone, small, onOver, below, ways } = props;
  const { state, retry, answered, late } = useAskingRun(workspaceId, runId, asked);
  switch (state.step) {
    case "loading":
    case "failed":
      return (
        <>
          {phone ? <h1 className="visually-hidden">{m.appName}</h1> : null}
          {state.step === "loading" ? (
            <SkeletonRows rows={4} />
          ) : (
            <Failure problem={state.problem} onRetry={retry} small={small} />
          )}
          {phone && state.step === "failed" ? (
            <p className={styles.way}>
              <a href="/">{answerTexts.question.toApp}</a>
            </p>
          ) : null}
        </>
      );
    case "open":
      return (
        <>
          <QuestionForm
            key={questionKey(state.asked)}
            ref={handle}
            phone={phone}
            run={state.run}
            asked={state.asked}
            userId={userId}
            canAnswer={state.canAnswer}
            whoMay={state.whoMay}
            onAnswered={(approved, data) => {
              answered(userId, approved, data);
              onOver?.();
            }}
            onLate={() => void late().then(onOver)}
          />
          {below?.(state.run)}
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
          phone={phone}
          replaces={state.prompt !== undefined}
        >
          {ways?.(state.run, state.asked)}
        </OutcomeView>
      );
    }
  }
}
