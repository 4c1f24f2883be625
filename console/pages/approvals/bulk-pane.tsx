import { type RefObject, type SyntheticEvent, useImperativeHandle, useRef, useState } from "react";
import { answerMany, type Result } from "../../data/answer-many.ts";
import { keyOfOpen, renewQuestions } from "../../data/approvals.ts";
import { isRecord } from "../../data/json.ts";
import { type Faults, faultsOf, NO_FAULTS } from "../../forms/check.ts";
import { fieldOf } from "../../forms/schema.ts";
import { focusFault, SchemaForm } from "../../forms/schema-form.tsx";
import { hasContent, initialOf } from "../../forms/values.ts";
import { words } from "../../messages/en-bulk-answers.ts";
import { AnswerButtons } from "../../question/answer-buttons.tsx";
import { buttonNames, type QuestionHandle } from "../../question/question-form.tsx";
import question from "../../question/question.module.css";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./bulk-pane.module.css";
import { BulkResults } from "./bulk-results.tsx";
import type { SelectedQuestions } from "./use-selected-questions.ts";

type Results = ReadonlyMap<string, Result>;

/** Gives all selected questions one answer, and shows the result of each. */
export function BulkPane({ marked, handle }: { marked: SelectedQuestions; handle: RefObject<QuestionHandle | null> }) {
  const { id: workspaceId } = useWorkspace();
  const questions = [...marked.questions.values()];
  // All selected questions have the same form.
  const [form] = useState(() => questions[0]?.form);
  const schema = isRecord(form) ? form : undefined;
  const [field] = useState(() => (schema ? fieldOf(schema) : undefined));
  const [value, setValue] = useState<unknown>(() => (field ? initialOf(field) : undefined));
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [results, setResults] = useState<Results>(new Map());
  const [sending, setSending] = useState<"approve" | "reject">();
  const element = useRef<HTMLFormElement>(null);
  const names = buttonNames(form);
  // Failed ones can be sent again. The others are done.
  const left = questions.filter(one => (results.get(keyOfOpen(one))?.kind ?? "failed") === "failed");
  const isOver = results.size > 0 && sending === undefined && left.length === 0;

  const send = async (approved: boolean) => {
    if (sending !== undefined || left.length === 0) return;
    const found = approved && schema ? faultsOf(schema, value) : NO_FAULTS;
    setFaults(found);
    if (found.size > 0) return void requestAnimationFrame(() => focusFault(element.current));
    setSending(approved ? "approve" : "reject");
    const data = schema && (approved || hasContent(value)) ? value : undefined;
    await answerMany(workspaceId, left, { approved, data }, (one, result) =>
      setResults(before => new Map([...before, [keyOfOpen(one), result]])),
    );
    setSending(undefined);
    void renewQuestions(workspaceId);
  };
  useImperativeHandle(handle, () => ({ send: approved => void send(approved) }));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void send(true);
  };
  return (
    <form ref={element} className={question.question} onSubmit={submit} noValidate>
      <div className={question.scroll}>
        <header className={styles.head}>
          <h2 className={question.prompt}>{words.title(questions.length)}</h2>
          <p className={styles.lead}>{words.lead}</p>
          {results.size === 0 ? (
            <Button size="small" tone="quiet" onClick={marked.clear}>
              {words.clear}
            </Button>
          ) : null}
        </header>
        <BulkResults marked={marked} results={results} fixed={results.size > 0} />
        {field && !isOver ? (
          <SchemaForm
            field={field}
            value={value}
            onChange={next => {
              setValue(next);
              setFaults(NO_FAULTS);
            }}
            faults={faults}
          />
        ) : null}
      </div>
      <div className={question.buttons}>
        {isOver ? (
          <Button size="large" tone="primary" wide onClick={marked.clear}>
            {words.done}
          </Button>
        ) : (
          <AnswerButtons names={names} sending={sending} onReject={() => void send(false)} />
        )}
      </div>
    </form>
  );
}
