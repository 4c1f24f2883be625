import type { OpenQuestion } from "./approvals.ts";
import { codeOf, problemOf } from "./problem.ts";
import { answerQuestion, outcomeOf, readAskingRun } from "./questions.ts";

/** The result of one of several answers. */
export type Result =
  | { kind: "sending" }
  | { kind: "sent"; approved: boolean }
  /** Another person answered first, with the user's id. */
  | { kind: "before"; by: string; approved: boolean }
  | { kind: "expired" }
  | { kind: "closed" }
  | { kind: "failed"; why: string };

/** The most answers that are sent at the same time. */
const AT_ONCE = 5;

/** Finds out why a question is no longer open. */
async function lateResult(workspaceId: string, one: OpenQuestion): Promise<Result> {
  const outcome = await outcomeOf(await readAskingRun(workspaceId, one.executionId), one);
  if (outcome.kind === "answered") return { kind: "before", by: outcome.by, approved: outcome.approved };
  return { kind: outcome.kind === "expired" ? "expired" : "closed" };
}

async function answerOne(workspaceId: string, one: OpenQuestion, said: AnswerInput): Promise<Result> {
  const run = { workspaceId, spaceId: one.spaceId, id: one.executionId };
  try {
    await answerQuestion(run, one, said);
    return { kind: "sent", approved: said.approved };
  } catch (error) {
    if (codeOf(error) !== "execution_not_suspended") {
      const { title, detail } = problemOf(error);
      return { kind: "failed", why: detail ?? title };
    }
    return lateResult(workspaceId, one).catch(() => ({ kind: "closed" as const }));
  }
}

interface AnswerInput {
  approved: boolean;
  data: unknown;
}

/** Gives several questions the same answer, a few at a time, and reports the result of each. It never rejects. */
export async function answerMany(
  workspaceId: string,
  questions: readonly OpenQuestion[],
  said: AnswerInput,
  tell: (one: OpenQuestion, result: Result) => void,
): Promise<void> {
  const left = questions.values();
  const work = async () => {
    for (const one of left) {
      tell(one, { kind: "sending" });
      tell(one, await answerOne(workspaceId, one, said));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
