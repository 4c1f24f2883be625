import { CircleCheck, CircleX } from "lucide-react";
import type { AnsweredQuestion } from "../../data/answers.ts";
import { useMe } from "../../data/session.ts";
import { answerTexts } from "../../messages/en-answers.ts";
import cut from "../../ui/cut.module.css";
import { Time } from "../../ui/time.tsx";
import styles from "./approvals.module.css";

const words = answerTexts.approvals.answered;

function verdict({ approved, answeredByName }: AnsweredQuestion, isMine: boolean): string {
  if (isMine) return approved ? words.youApproved : words.youRejected;
  const name = answeredByName ?? answerTexts.question.somebody;
  return approved ? words.approved(name) : words.rejected(name);
}

interface AnswerListProps {
  answers: readonly AnsweredQuestion[];
  selected: string | undefined;
  keyOf: (one: AnsweredQuestion) => string;
  onOpen: (one: AnsweredQuestion) => void;
}

/** The answered questions, each with its answer and the person who gave it. */
export function AnswerList({ answers, selected, keyOf, onOpen }: AnswerListProps) {
  const { id: userId } = useMe();
  return (
    <ul>
      {answers.map(one => (
        <li key={`${keyOf(one)}|${one.seq}`}>
          <button
            type="button"
            data-entry
            className={styles.row}
            aria-current={keyOf(one) === selected ? "true" : undefined}
            onClick={() => onOpen(one)}
          >
            <span className={styles.verdict} data-approved={one.approved || undefined}>
              {one.approved ? <CircleCheck size={14} aria-hidden /> : <CircleX size={14} aria-hidden />}
              {verdict(one, one.answeredBy === userId)}
            </span>
            <span className={cut.lines}>{one.prompt}</span>
            <span className={styles.meta}>
              <Time at={one.answeredAt} />
              {one.path?.map(({ index }, n) => (
                <span key={n}>{answerTexts.question.item(index + 1)}</span>
              ))}
              <span>{one.workflowName ?? answerTexts.question.aWorkflow}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
