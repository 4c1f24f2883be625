import { type RefObject, type SyntheticEvent, useCallback, useImperativeHandle } from "react";
import { isRecord } from "../data/json.ts";
import type { Suspension } from "../data/question-address.ts";
import { type AskingRun, uploadForAnswer } from "../data/questions.ts";
import { SchemaForm } from "../forms/schema-form.tsx";
import { Uploads } from "../forms/uploads.ts";
import { hasContent } from "../forms/values.ts";
import { answerTexts } from "../messages/en-answers.ts";
import { Notice } from "../ui/states.tsx";
import { AnswerButtons } from "./answer-buttons.tsx";
import { Prompt } from "./prompt.tsx";
import { QuestionHead } from "./question-head.tsx";
import styles from "./question.module.css";
import { type GivenAnswer, useAnswer } from "./use-answer.ts";
import { ValueView } from "./value-view.tsx";

/** The form may name its two buttons: `"x-weft": {"approve": "Ship it", "reject": "Not yet"}`. */
export function buttonNames(form: unknown): { approve: string; reject: string } {
  const hints = isRecord(form) && isRecord(form["x-weft"]) ? form["x-weft"] : {};
  const text = (value: unknown, otherwise: string) => (typeof value === "string" && value !== "" ? value : otherwise);
  return {
    approve: text(hints.approve, answerTexts.question.approve),
    reject: text(hints.reject, answerTexts.question.reject),
  };
}

/** What keys outside of the form can trigger. */
export interface QuestionHandle {
  send: (approved: boolean) => void;
}

interface QuestionFormProps {
  run: AskingRun;
  asked: Suspension;
  userId: string;
  /** False for people who may only read the question. */
  canAnswer: boolean;
  /** Shown instead of the buttons to people who may not answer. */
  whoMay: string | undefined;
  onAnswered: (approved: boolean, data: unknown) => void;
  onLate: () => void;
  /** Sends the answer in another way than with the user's session. */
  send?: ((answer: GivenAnswer) => Promise<void>) | undefined;
  /** Whether the buttons stay at the lower edge of a narrow screen. */
  phone?: boolean;
  ref?: RefObject<QuestionHandle | null> | undefined;
}

/** One open question: its context, its form, and the two buttons. */
export function QuestionForm({
  run,
  asked,
  userId,
  canAnswer,
  whoMay,
  onAnswered,
  onLate,
  send: sendSaid,
  phone,
  ref,
}: QuestionFormProps) {
  const answer = useAnswer(run, asked, userId, { onAnswered, onLate, send: sendSaid });
  const { field, value, change, faults, sending, problem, send, form } = answer;
  const upload = useCallback(
    (file: File, signal: AbortSignal) =>
      sendSaid ? Promise.reject(new Error(answerTexts.question.noFiles)) : uploadForAnswer(run, file, signal),
    [run, sendSaid],
  );
  const names = buttonNames(asked.form);
  useImperativeHandle(ref, () => ({ send: approved => void (canAnswer && send(approved)) }));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void send(true);
  };
  const isOffline = problem !== undefined && problem.status === undefined;
  return (
    <form ref={form} className={styles.question} data-phone={phone || undefined} onSubmit={submit} noValidate>
      <div className={styles.scroll}>
        <QuestionHead run={run} asked={asked} />
        {/* Beside a list, the page already has its own title. */}
        <Prompt heading={phone ? "h1" : "h2"} text={asked.prompt} />
        {hasContent(run.input) ? (
          <details className={styles.about} open={!field || undefined}>
            <summary>{answerTexts.question.about}</summary>
            <ValueView value={run.input} />
          </details>
        ) : null}
        {answer.restored ? <p className={styles.quiet}>{answerTexts.question.restored}</p> : null}
        {field && canAnswer ? (
          <Uploads value={upload}>
            <SchemaForm field={field} value={value} onChange={change} faults={faults} />
          </Uploads>
        ) : null}
      </div>
      {canAnswer ? (
        <div className={styles.buttons}>
          {problem ? (
            <div className={styles.notSent}>
              <Notice tone="bad">
                <strong>{isOffline ? answerTexts.question.notSent : problem.title}</strong>{" "}
                {isOffline ? problem.title : problem.detail}
              </Notice>
            </div>
          ) : null}
          <AnswerButtons
            names={isOffline ? { ...names, approve: answerTexts.question.sendAgain } : names}
            sending={sending}
            onReject={() => void send(false)}
          />
        </div>
      ) : (
        <div className={styles.noRight}>
          <Notice>
            <strong>{answerTexts.question.noRight}.</strong> {whoMay}
          </Notice>
        </div>
      )}
    </form>
  );
}
