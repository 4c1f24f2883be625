import { useMemo, useRef, useState } from "react";
import { dropDraft, keepDraft, readDraft } from "../data/drafts.ts";
import { isRecord } from "../data/json.ts";
import { codeOf, faultsIn, problemOf } from "../data/problem.ts";
import { questionKey, type Suspension } from "../data/question-address.ts";
import { answerQuestion, type AskingRun } from "../data/questions.ts";
import { type Faults, faultsOf, faultsOfService, NO_FAULTS } from "../forms/check.ts";
import { fieldOf } from "../forms/schema.ts";
import { focusFault } from "../forms/schema-form.tsx";
import { hasContent, initialOf } from "../forms/values.ts";
import type { Problem } from "../ui/states.tsx";

/** A user's answer to a question. */
export interface GivenAnswer {
  approved: boolean;
  data: unknown;
}

interface Told {
  /** Sends the answer in another way than with the user's session. */
  send?: ((answer: GivenAnswer) => Promise<void>) | undefined;
  /** Called when the service has accepted the answer. */
  onAnswered: (approved: boolean, data: unknown) => void;
  /** Called when the question was no longer open. */
  onLate: () => void;
}

/**
 * The state of an answer while the user types and sends it. Typed text is kept in the browser until the answer is
 * accepted.
 */
export function useAnswer(
  run: AskingRun,
  asked: Suspension,
  userId: string,
  { onAnswered, onLate, send: sendSaid }: Told,
) {
  const schema = isRecord(asked.form) ? asked.form : undefined;
  const field = useMemo(() => (schema ? fieldOf(schema) : undefined), [schema]);
  const key = `${run.id}|${questionKey(asked)}`;
  const [draft] = useState(() => readDraft(userId, key));
  const [value, setValue] = useState<unknown>(() => draft ?? (field ? initialOf(field) : undefined));
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [sending, setSending] = useState<"approve" | "reject" | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const form = useRef<HTMLFormElement>(null);

  const show = (found: Faults) => {
    setFaults(found);
    if (found.size > 0) requestAnimationFrame(() => focusFault(form.current));
  };

  const change = (next: unknown) => {
    setValue(next);
    keepDraft(userId, key, next);
    // Faults disappear as the user fixes them. New ones appear when the answer is sent.
    if (schema && faults.size > 0) {
      const left = faultsOf(schema, next);
      const kept = [...faults].filter(([pointer]) => left.has(pointer));
      if (kept.length < faults.size) setFaults(new Map(kept));
    }
  };

  const send = async (approved: boolean) => {
    if (sending) return;
    setProblem(undefined);
    const found = approved && schema ? faultsOf(schema, value) : NO_FAULTS;
    show(found);
    if (found.size > 0) return;
    setSending(approved ? "approve" : "reject");
    const data = schema && (approved || hasContent(value)) ? value : undefined;
    try {
      await (sendSaid ? sendSaid({ approved, data }) : answerQuestion(run, asked, { approved, data }));
      dropDraft(userId, key);
      onAnswered(approved, data);
    } catch (error) {
      setSending(undefined);
      if (codeOf(error) === "execution_not_suspended" || codeOf(error) === "link_invalid") return onLate();
      const refused = faultsOfService(faultsIn(error), "/data");
      if (refused.size > 0) return show(refused);
      setProblem(problemOf(error));
    }
  };
  return { field, value, change, faults, sending, problem, send, form, restored: draft !== undefined };
}
