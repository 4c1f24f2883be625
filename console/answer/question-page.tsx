import { useEffect, useState } from "react";
import { type Asked, questionKey, type Suspension } from "../data/question-address.ts";
import { type AskingRun, readAskingRun } from "../data/questions.ts";
import { m } from "../messages/index.ts";
import { OutcomeView } from "../question/outcome-view.tsx";
import { QuestionForm } from "../question/question-form.tsx";
import { useAskingRun } from "../question/use-asking-run.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Failure } from "../ui/states.tsx";
import type { QuestionAddress } from "./address.ts";
import styles from "./answer.module.css";

/** The other questions of the run that are open now, read when this one is over. */
function useOthers({ workspaceId, id }: AskingRun): Suspension[] {
  const [others, setOthers] = useState<Suspension[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    readAskingRun(workspaceId, id, controller.signal).then(
      run => setOthers(run.suspensions ?? []),
      () => undefined,
    );
    return () => controller.abort();
  }, [workspaceId, id]);
  return others;
}

function Ways({ run, asked, onNext }: { run: AskingRun; asked: Asked; onNext: (next: Suspension) => void }) {
  const others = useOthers(run).filter(one => questionKey(one) !== questionKey(asked));
  return (
    <>
      {others[0] ? (
        <Button tone="primary" size="large" onClick={() => onNext(others[0]!)}>
          {m.question.next}
        </Button>
      ) : null}
      <Details run={run} />
      <a className={buttonClass({ size: "large" })} href={`/w/${run.workspaceId}/approvals`}>
        {m.question.inbox}
      </a>
    </>
  );
}

const Details = ({ run }: { run: AskingRun }) => (
  <a className={buttonClass({ size: "large" })} href={`/w/${run.workspaceId}/s/${run.spaceId}/runs/${run.id}`}>
    {m.question.details}
  </a>
);

export function QuestionPage({ address, user }: { address: QuestionAddress; user: { id: string } }) {
  const [asked, setAsked] = useState<Asked>(address.asked);
  const { state, retry, answered, late } = useAskingRun(address.workspaceId, address.runId, asked);
  const id = user.id;
  switch (state.step) {
    case "loading":
      return <SkeletonRows rows={4} />;
    case "failed":
      return <Failure problem={state.problem} onRetry={retry} />;
    case "open":
      return (
        <QuestionForm
          key={questionKey(state.asked)}
          phone
          run={state.run}
          asked={state.asked}
          userId={id}
          canAnswer={state.canAnswer}
          whoMay={state.whoMay}
          onAnswered={(approved, data) => answered(id, approved, data)}
          onLate={() => void late()}
        />
      );
    case "over": {
      const by = state.outcome.kind === "answered" ? state.outcome.by : undefined;
      return (
        <div className={styles.over}>
          <OutcomeView
            outcome={state.outcome}
            prompt={state.prompt}
            by={by === undefined ? undefined : state.name(by)}
            byMe={by === id}
            late={state.late}
          >
            <Ways run={state.run} asked={state.asked} onNext={setAsked} />
          </OutcomeView>
        </div>
      );
    }
  }
}
