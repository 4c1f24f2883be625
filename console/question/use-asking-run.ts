import { useCallback, useEffect, useState } from "react";
import { mayPass, problemOf } from "../data/problem.ts";
import { type Asked, findQuestion, type Suspension } from "../data/question-address.ts";
import {
  type AskingRun,
  mayAnswer,
  membersOf,
  nameOf,
  type Outcome,
  outcomeOf,
  readAskingRun,
  readWorkspace,
} from "../data/questions.ts";
import { sessionNow } from "../data/session.ts";
import { answerTexts } from "../messages/en-answers.ts";
import type { Problem } from "../ui/states.tsx";

interface People {
  canAnswer: boolean;
  /** A sentence that names the people who may answer. */
  whoMay: string | undefined;
  name: (userId: string) => string | undefined;
}

/** The state of a question while its page is open. */
export type QuestionState =
  | { step: "loading" }
  /** `passes`: the service may answer a later attempt. */
  | { step: "failed"; problem: Problem; passes: boolean }
  | ({ step: "open"; run: AskingRun; asked: Suspension } & People)
  | ({ step: "over"; run: AskingRun; asked: Asked; prompt?: string; outcome: Outcome; late: boolean } & People);

/** How long the page waits before it reads a question again that it could not read. */
const AGAIN_MS = 5_000;

/** Returns a function that says who may answer a question with these assignees. */
async function peopleOf(workspaceId: string): Promise<(assignees?: readonly string[]) => People> {
  const [{ role }, members] = await Promise.all([readWorkspace(workspaceId), membersOf(workspaceId).catch(() => [])]);
  const session = sessionNow();
  const me = { role, userId: session.status === "in" ? session.user.id : "" };
  return assignees => {
    const able = members.filter(member => mayAnswer(member, assignees)).map(({ name, email }) => name ?? email ?? "");
    return {
      canAnswer: mayAnswer(me, assignees),
      whoMay: able.length > 0 ? answerTexts.question.whoMay(able.slice(0, 5)) : undefined,
      name: userId => nameOf(members, userId),
    };
  };
}

/** Reads a question and its outcome. It uses no query cache, because the page for phones has none. */
export function useAskingRun(workspaceId: string, runId: string, asked: Asked) {
  const [state, setState] = useState<QuestionState>({ step: "loading" });
  const [tries, setTries] = useState(0);
  const { nodeId, path, question } = asked;

  useEffect(() => {
    const controller = new AbortController();
    const read = async (): Promise<QuestionState> => {
      const [run, people] = await Promise.all([
        readAskingRun(workspaceId, runId, controller.signal),
        peopleOf(workspaceId),
      ]);
      const open = findQuestion(run.suspensions ?? [], { nodeId, path, question });
      if (open) return { step: "open", run, asked: open, ...people(open.assignees) };
      const outcome = await outcomeOf(run, { nodeId, path, question });
      return { step: "over", run, asked: { nodeId, path, question }, outcome, late: false, ...people() };
    };
    void read()
      .catch((error: unknown): QuestionState => ({
        step: "failed",
        problem: problemOf(error),
        passes: mayPass(error),
      }))
      .then(next => {
        if (!controller.signal.aborted) setState(next);
      });
    return () => controller.abort();
  }, [workspaceId, runId, nodeId, path, question, tries]);

  // What is shown stays meanwhile, so that the button that retries keeps the focus.
  useEffect(() => {
    if (state.step !== "failed" || !state.passes) return undefined;
    const timer = setTimeout(() => setTries(n => n + 1), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const retry = useCallback(() => {
    setState({ step: "loading" });
    setTries(n => n + 1);
  }, []);

  /** Called when the user's answer was accepted. */
  const answered = (by: string, approved: boolean, data: unknown) => {
    if (state.step !== "open") return;
    const outcome: Outcome = { kind: "answered", approved, data, by, at: new Date().toISOString() };
    setState({ ...state, step: "over", prompt: state.asked.prompt, outcome, late: false });
  };

  /** Called when another answer came first. Finds out whose. */
  const late = async () => {
    if (state.step !== "open") return;
    const outcome = await outcomeOf(state.run, state.asked).catch((): Outcome => ({
      kind: "ended",
      status: state.run.status,
      at: null,
    }));
    setState({ ...state, step: "over", prompt: state.asked.prompt, outcome, late: true });
  };
  return { state, retry, answered, late };
}
