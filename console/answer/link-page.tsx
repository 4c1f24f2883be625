import { SearchX } from "lucide-react";
import { useEffect, useState } from "react";
import { anonymous } from "../data/session.ts";
import { codeOf, problemOf } from "../data/problem.ts";
import type { AskingRun, Outcome } from "../data/questions.ts";
import { answerTexts } from "../messages/en-answers.ts";
import { m } from "../messages/index.ts";
import { OutcomeView } from "../question/outcome-view.tsx";
import { QuestionForm } from "../question/question-form.tsx";
import type { GivenAnswer } from "../question/use-answer.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Empty, Failure, type Problem } from "../ui/states.tsx";

type Linked = Awaited<ReturnType<typeof anonymous.executions.link.read>>;

type LinkState =
  | { step: "loading" }
  | { step: "failed"; problem: Problem }
  | { step: "ended" }
  | { step: "open"; linked: Linked }
  | { step: "answered"; prompt: string; outcome: Outcome };

/** A link reveals only the question, so it knows no more of the run than the head of the form shows. */
const runOf = ({ createdAt, trigger, workflowName, askedAt }: Linked): AskingRun => ({
  ...({ id: `link ${askedAt}`, workspaceId: "", spaceId: "", input: null } as AskingRun),
  ...{ createdAt, trigger, ...(workflowName !== undefined && { workflowName }) },
});

const stateOf = (error: unknown): LinkState =>
  codeOf(error) === "link_invalid" ? { step: "ended" } : { step: "failed", problem: problemOf(error) };

/** The question of a signed link. Opening the link answers nothing, because mail scanners open every link. */
export function LinkPage({ token }: { token: string }) {
  const [state, setState] = useState<LinkState>({ step: "loading" });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isGone = false;
    void anonymous.executions.link
      .read({ token })
      .then((linked): LinkState => ({ step: "open", linked }), stateOf)
      .then(next => void (isGone || setState(next)));
    return () => void (isGone = true);
  }, [token, tries]);

  switch (state.step) {
    case "loading":
    case "failed":
      return (
        <>
          <h1 className="visually-hidden">{m.appName}</h1>
          {state.step === "loading" ? (
            <SkeletonRows rows={4} />
          ) : (
            <Failure problem={state.problem} onRetry={() => setTries(tries + 1)} />
          )}
        </>
      );
    case "ended":
      return (
        <>
          <h1 className="visually-hidden">{m.appName}</h1>
          <Empty icon={<SearchX size={20} aria-hidden />} title={answerTexts.question.linkEnded}>
            {answerTexts.question.linkEndedDetail}
          </Empty>
        </>
      );
    case "open": {
      const { prompt, form, expiresAt, to } = state.linked;
      const send = async ({ approved, data }: GivenAnswer) => {
        await anonymous.executions.link.answer({ token, approved, ...(data !== undefined && { data }) });
      };
      return (
        <QuestionForm
          phone
          run={runOf(state.linked)}
          asked={{ nodeId: "", prompt, expiresAt, ...(form !== undefined && { form }) }}
          userId={to ?? "link"}
          canAnswer
          whoMay={undefined}
          send={send}
          onAnswered={(approved, data) => {
            const outcome: Outcome = { kind: "answered", approved, data, by: "", at: new Date().toISOString() };
            setState({ step: "answered", prompt, outcome });
          }}
          onLate={() => setState({ step: "ended" })}
        />
      );
    }
    case "answered":
      return (
        <OutcomeView outcome={state.outcome} prompt={state.prompt} by={undefined} byMe late={false} phone>
          {null}
        </OutcomeView>
      );
  }
}
