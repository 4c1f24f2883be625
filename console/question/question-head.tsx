import { Clock, Hourglass } from "lucide-react";
import type { Suspension } from "../data/question-address.ts";
import type { AskingRun } from "../data/questions.ts";
import { answerTexts } from "../messages/en-answers.ts";
import { Time, useClockText } from "../ui/time.tsx";
import styles from "./question.module.css";

type Told = Pick<AskingRun, "workflowName" | "startedByName" | "trigger" | "createdAt">;

const SOON_MS = 60 * 60_000;

function whoStarted({ trigger, startedByName }: Told): string {
  if (trigger.type === "schedule" || trigger.type === "webhook") return answerTexts.question.startedVia[trigger.type];
  return startedByName ? answerTexts.question.startedBy(startedByName) : answerTexts.question.started;
}

/** Shows which run asks, since when, and until when it accepts an answer. */
export function QuestionHead({ run, asked }: { run: Told; asked: Pick<Suspension, "path" | "expiresAt"> }) {
  const { expiresAt, path } = asked;
  const isSoon = useClockText(now => String(expiresAt !== null && Date.parse(expiresAt) - now < SOON_MS)) === "true";
  return (
    <div className={styles.head}>
      <p className={styles.asks}>
        {answerTexts.question.asks(run.workflowName ?? answerTexts.question.aWorkflow)}
        {path?.map(({ index }, n) => (
          <span key={n}> · {answerTexts.question.item(index + 1)}</span>
        ))}
      </p>
      <p className={styles.meta}>
        <span>
          <Clock size={14} aria-hidden /> {whoStarted(run)} <Time at={run.createdAt} />
        </span>
        {expiresAt ? (
          <span className={isSoon ? styles.soon : undefined}>
            <Hourglass size={14} aria-hidden /> {answerTexts.question.expires} <Time at={expiresAt} />
          </span>
        ) : null}
      </p>
    </div>
  );
}
