import { renewQuestions } from "../data/approvals.ts";
import type { Suspension } from "../data/question-address.ts";
import type { RunAddress } from "../data/run-types.ts";
import { useMe } from "../data/session.ts";
import { AskedQuestion } from "../question/asked-question.tsx";

/** A question of a step, with its form and its outcome. */
export function AnswerTab({ at, asked }: { at: RunAddress; asked: Suspension }) {
  const { id: userId } = useMe();
  const { workspaceId, id: runId } = at;
  return (
    <AskedQuestion small {...{ workspaceId, runId, asked, userId }} onOver={() => void renewQuestions(workspaceId)} />
  );
}
