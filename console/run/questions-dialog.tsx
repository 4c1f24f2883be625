import { renewQuestions } from "../data/approvals.ts";
import { questionKey, type Suspension } from "../data/question-address.ts";
import type { RunAddress } from "../data/run-types.ts";
import { useMe } from "../data/session.ts";
import { waits as words } from "../messages/en-waits.ts";
import { AskedQuestion } from "../question/asked-question.tsx";
import { Dialog } from "../ui/dialog.tsx";
import styles from "./questions-dialog.module.css";

interface QuestionsDialogProps {
  at: RunAddress;
  /** The questions that were open when the dialog opened. Answered ones stay, with their outcomes. */
  questions: readonly Suspension[];
  onClose: () => void;
}

/** Several questions of a run side by side, each with its form. */
export default function QuestionsDialog({ at: { workspaceId, id }, questions, onClose }: QuestionsDialogProps) {
  const { id: userId } = useMe();
  return (
    <Dialog open wide title={words.questions(questions.length)} onClose={onClose}>
      <div className={styles.questions}>
        {questions.map(asked => (
          <section key={questionKey(asked)} className={styles.question} aria-label={asked.prompt}>
            <AskedQuestion
              small
              {...{ workspaceId, runId: id, asked, userId }}
              onOver={() => void renewQuestions(workspaceId)}
            />
          </section>
        ))}
      </div>
    </Dialog>
  );
}
