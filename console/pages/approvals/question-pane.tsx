import { Link } from "@tanstack/react-router";
import type { RefObject } from "react";
import { renewQuestions } from "../../data/approvals.ts";
import { runPath } from "../../data/paths.ts";
import type { Asked } from "../../data/question-address.ts";
import { useMe } from "../../data/session.ts";
import { answerTexts } from "../../messages/en-answers.ts";
import { AskedQuestion } from "../../question/asked-question.tsx";
import { CopyLink } from "../../question/copy-link.tsx";
import type { QuestionHandle } from "../../question/question-form.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import styles from "./approvals.module.css";

interface QuestionPaneProps {
  executionId: string;
  asked: Asked;
  handle?: RefObject<QuestionHandle | null>;
  /** Called when the question has been answered, by anyone. */
  onOver?: () => void;
  onNext: (() => void) | undefined;
}

/** A question of the inbox, with links to its run and to the next question. */
export function QuestionPane({ executionId, asked, handle, onOver, onNext }: QuestionPaneProps) {
  const { id: workspaceId, slug } = useWorkspace();
  const { id: userId } = useMe();
  return (
    <AskedQuestion
      {...{ workspaceId, runId: executionId, asked, userId, handle }}
      onOver={() => {
        onOver?.();
        void renewQuestions(workspaceId);
      }}
      below={run => (
        <p className={styles.foot}>
          <Link to={runPath(slug, run)}>{answerTexts.question.details}</Link>
          <CopyLink tone="quiet" size="small" run={run} asked={asked} />
        </p>
      )}
      ways={run => (
        <>
          {onNext ? (
            <Button tone="primary" onClick={onNext}>
              {answerTexts.question.next}
            </Button>
          ) : null}
          <Link className={buttonClass({})} to={runPath(slug, run)}>
            {answerTexts.question.details}
          </Link>
        </>
      )}
    />
  );
}
