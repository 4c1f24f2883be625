import { Hourglass } from "lucide-react";
import { keyOfOpen, type OpenQuestion, type WorkflowQuestions } from "../../data/approvals.ts";
import { answerTexts } from "../../messages/en-answers.ts";
import { words } from "../../messages/en-bulk-answers.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import cut from "../../ui/cut.module.css";
import { Time } from "../../ui/time.tsx";
import styles from "./approvals.module.css";
import type { SelectedQuestions } from "./use-selected-questions.ts";

interface RowProps {
  one: OpenQuestion;
  isSelected: boolean;
  onOpen: () => void;
  marked: SelectedQuestions;
}

function Row({ one, isSelected, onOpen, marked }: RowProps) {
  const whyNot = marked.whyNot(one);
  return (
    <li className={styles.markable}>
      <span className={styles.mark} title={whyNot}>
        <Checkbox
          label={words.mark(one.prompt)}
          checked={marked.questions.has(keyOfOpen(one))}
          disabled={whyNot !== undefined}
          onChange={() => marked.toggle(one)}
        />
      </span>
      <button
        type="button"
        data-entry
        className={styles.row}
        aria-current={isSelected ? "true" : undefined}
        onClick={onOpen}
      >
        <span className={cut.lines}>{one.prompt}</span>
        <span className={styles.meta}>
          <Time at={one.askedAt} />
          {one.path?.map(({ index }, n) => (
            <span key={n}>{answerTexts.question.item(index + 1)}</span>
          ))}
          {one.mine ? <span className={styles.mine}>{answerTexts.approvals.forYou}</span> : null}
          {one.expiresAt ? (
            <span className={styles.expires}>
              <Hourglass size={12} aria-hidden />
              <span className="visually-hidden">{answerTexts.question.expires}</span> <Time at={one.expiresAt} />
            </span>
          ) : null}
        </span>
      </button>
    </li>
  );
}

interface QuestionListProps {
  groups: readonly WorkflowQuestions[];
  selected: string | undefined;
  onOpen: (one: OpenQuestion) => void;
  marked: SelectedQuestions;
}

/** The open questions, grouped by workflow. */
export const QuestionList = ({ groups, selected, onOpen, marked }: QuestionListProps) => (
  <>
    {groups.map(({ workflowId, name, questions }) => (
      <section key={workflowId} className={styles.group}>
        <h2 className={styles.workflow}>
          <span>{name ?? answerTexts.question.aWorkflow}</span>
          <span className={styles.count}>{questions.length}</span>
        </h2>
        <ul>
          {questions.map(one => (
            <Row
              key={keyOfOpen(one)}
              one={one}
              isSelected={keyOfOpen(one) === selected}
              onOpen={() => onOpen(one)}
              marked={marked}
            />
          ))}
        </ul>
      </section>
    ))}
  </>
);
