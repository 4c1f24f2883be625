import { useState } from "react";
import { keyOfOpen, type OpenQuestion } from "../../data/approvals.ts";
import { isRecord } from "../../data/json.ts";
import { mayAnswer } from "../../data/questions.ts";
import { useMe } from "../../data/session.ts";
import { type FieldModel, fieldOf } from "../../forms/schema.ts";
import { words } from "../../messages/en-bulk-answers.ts";
import { useWorkspace } from "../../shell/workspace.ts";

const formOf = ({ form }: OpenQuestion): string => JSON.stringify(form ?? null);

const hasFile = (field: FieldModel): boolean =>
  field.kind === "file" ||
  (field.kind === "object" && field.properties.some(one => hasFile(one.field))) ||
  (field.kind === "list" && hasFile(field.item));

export interface SelectedQuestions {
  questions: ReadonlyMap<string, OpenQuestion>;
  toggle: (one: OpenQuestion) => void;
  clear: () => void;
  /** Why a question cannot be selected. Undefined if it can. */
  whyNot: (one: OpenQuestion) => string | undefined;
}

/** The questions that are selected to get one answer. All have the same form. */
export function useSelectedQuestions(): SelectedQuestions {
  const { role } = useWorkspace();
  const { id: userId } = useMe();
  const [questions, setQuestions] = useState<ReadonlyMap<string, OpenQuestion>>(new Map());
  const [first] = questions.values();
  const whyNot = (one: OpenQuestion) => {
    if (!mayAnswer({ role, userId }, one.assignees)) return words.mayNot;
    if (isRecord(one.form) && hasFile(fieldOf(one.form))) return words.hasFile;
    return first && formOf(first) !== formOf(one) ? words.otherForm : undefined;
  };
  return {
    questions,
    whyNot,
    clear: () => setQuestions(new Map()),
    toggle(one) {
      const next = new Map(questions);
      const key = keyOfOpen(one);
      if (!next.delete(key) && whyNot(one) === undefined) next.set(key, one);
      setQuestions(next);
    },
  };
}
