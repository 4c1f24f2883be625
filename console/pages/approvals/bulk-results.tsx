import { X } from "lucide-react";
import type { Result } from "../../data/answer-many.ts";
import { keyOfOpen } from "../../data/approvals.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { answerTexts } from "../../messages/en-answers.ts";
import { words } from "../../messages/en-bulk-answers.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./bulk-pane.module.css";
import type { SelectedQuestions } from "./use-selected-questions.ts";

function textOf(result: Result | undefined, nameOf: (id: string) => string): string {
  if (!result) return words.state.waiting;
  switch (result.kind) {
    case "sent":
      return result.approved ? words.state.approved : words.state.rejected;
    case "before":
      return words.state.before(nameOf(result.by), result.approved);
    case "failed":
      return result.why;
    default:
      return words.state[result.kind];
  }
}

interface BulkResultsProps {
  marked: SelectedQuestions;
  results: ReadonlyMap<string, Result>;
  /** Whether answers were sent. Then no question can be removed from the selection. */
  fixed: boolean;
}

/** The selected questions, each with the result of its answer. */
export function BulkResults({ marked, results, fixed }: BulkResultsProps) {
  const { id } = useWorkspace();
  const names = useMemberNames(id);
  const questions = [...marked.questions.values()];
  const ended = [...results.values()].filter(({ kind }) => kind !== "sending");
  const sent = ended.filter(({ kind }) => kind === "sent").length;
  return (
    <>
      <ul className={styles.questions} aria-label={words.questions}>
        {questions.map(one => {
          const result = results.get(keyOfOpen(one));
          return (
            <li key={keyOfOpen(one)}>
              <span className={styles.prompt}>{one.prompt}</span>
              <span className={styles.meta}>
                <span>{one.workflowName ?? answerTexts.question.aWorkflow}</span>
                {one.path?.map(({ index }, n) => (
                  <span key={n}>{answerTexts.question.item(index + 1)}</span>
                ))}
                <Time at={one.askedAt} />
              </span>
              {fixed ? (
                <span className={styles.result} data-kind={result?.kind}>
                  {textOf(result, user => names.get(user) ?? answerTexts.question.somebody)}
                </span>
              ) : (
                <IconButton label={words.leave(one.prompt)} onClick={() => marked.toggle(one)}>
                  <X size={14} aria-hidden />
                </IconButton>
              )}
            </li>
          );
        })}
      </ul>
      <p className={styles.progress} role="status">
        {!fixed
          ? ""
          : ended.length < questions.length
            ? words.progress(ended.length, questions.length)
            : words.over(sent, questions.length)}
      </p>
    </>
  );
}
