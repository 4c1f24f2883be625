import { useEffect, useState } from "react";
import { type Asked, questionKey, type Suspension } from "../data/question-address.ts";
import { type AskingRun, readAskingRun } from "../data/questions.ts";
import { answerTexts } from "../messages/en-answers.ts";
import { AskedQuestion } from "../question/asked-question.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import type { QuestionAddress } from "./address.ts";

/** The other open questions of the run, read when this one is answered. */
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
          {answerTexts.question.next}
        </Button>
      ) : null}
      <Details run={run} />
      <a className={buttonClass({ size: "large" })} href={`/w/${run.workspaceId}/approvals`}>
        {answerTexts.question.inbox}
      </a>
    </>
  );
}

const Details = ({ run }: { run: AskingRun }) => (
  <a className={buttonClass({ size: "large" })} href={`/w/${run.workspaceId}/s/${run.spaceId}/runs/${run.id}`}>
    {answerTexts.question.details}
  </a>
);

export function QuestionPage({ address, user }: { address: QuestionAddress; user: { id: string } }) {
  const [asked, setAsked] = useState<Asked>(address.asked);
  const { workspaceId, runId } = address;
  return (
    <AskedQuestion
      {...{ workspaceId, runId, asked, userId: user.id }}
      phone
      ways={(run, over) => <Ways run={run} asked={over} onNext={setAsked} />}
    />
  );
}
