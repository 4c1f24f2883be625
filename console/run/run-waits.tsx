import { Link2 } from "lucide-react";
import type { Execution } from "../../sdk/definition.ts";
import { questionKey, type Suspension } from "../data/question-address.ts";
import type { Step } from "../data/run-types.ts";
import { useMemberNames } from "../data/workspaces.ts";
import { runTexts } from "../messages/en-run.ts";
import { waits as words } from "../messages/en-waits.ts";
import { CopyLink } from "../question/copy-link.tsx";
import { Button } from "../ui/button.tsx";
import { copy } from "../ui/copy.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { Time } from "../ui/time.tsx";
import { toast } from "../ui/toast.tsx";
import { LONG_TEXT } from "./error-text.tsx";
import styles from "./run-head.module.css";
import { pathText } from "./step-state.ts";

/** The most questions and waits that are listed. Users find more questions in the inbox, and more waits in the tree. */
const MAX_SHOWN = 3;

interface RunWaitsProps {
  run: Execution;
  /** The steps on the top level of the run. Undefined until they are loaded. */
  steps: readonly Step[] | undefined;
  /** Opens the form of a question. */
  onAnswer: (question: Suspension) => void;
  /** Opens the forms of all questions. */
  onAnswerAll: () => void;
}

/** The position of a queued run, and why it waits. */
const Queued = ({ run: { queue } }: { run: Execution }) => (
  <p className={styles.waiting}>
    <span>
      <strong>{words.queued}.</strong>{" "}
      {queue ? `${words.place(queue.before)} ${words.why[queue.reason]}` : words.why.worker}
    </span>
  </p>
);

/** Who may answer a question, since when it is open, and until when. */
function Asked({ run, steps, asked }: Pick<RunWaitsProps, "run" | "steps"> & { asked: Suspension }) {
  const names = useMemberNames(run.workspaceId);
  const since = steps?.find(
    ({ nodeId, path }) => nodeId === asked.nodeId && pathText(path) === pathText(asked.path),
  )?.startedAt;
  const people = (asked.assignees ?? []).map(id => names.get(id)).filter(name => name !== undefined);
  return (
    <span className={styles.meta}>
      {people.length > 0 ? <span>{words.asks(people)}</span> : null}
      {since ? (
        <span>
          {words.asked} <Time at={since} />
        </span>
      ) : null}
      {asked.expiresAt ? (
        <span>
          {words.ends} <Time at={asked.expiresAt} />
        </span>
      ) : null}
    </span>
  );
}

/** The signal that a step waits for. */
function Awaited({ awaits: { event, key } }: { awaits: NonNullable<Step["awaits"]> }) {
  if (event === undefined) return words.call;
  return (
    <>
      {words.signal} <code>{event}</code>
      {key === undefined ? null : (
        <>
          {" "}
          {words.key} <code>{key}</code>
        </>
      )}
    </>
  );
}

/** A step that waits for something other than an answer. */
function Waiting({ step: { name, waitsFor = "delay", awaits, startedAt, until } }: { step: Step }) {
  const copyIt = async (url: string) => {
    if (await copy(url)) toast.done(words.addressCopied);
    else toast.failed(words.addressNotCopied, url);
  };
  return (
    <li className={styles.waiting}>
      <span>
        <strong>{name}</strong> · {awaits ? <Awaited awaits={awaits} /> : runTexts.run.waitsFor[waitsFor]}
        {startedAt ? (
          <>
            {" · "}
            {words.began} <Time at={startedAt} />
          </>
        ) : null}
        {until ? (
          <>
            {"; "}
            {words.goesOn} <Time at={until} />
          </>
        ) : null}
      </span>
      {awaits?.url === undefined ? null : (
        <Button
          size="small"
          tone="quiet"
          title={words.addressHint}
          icon={<Link2 size={14} aria-hidden />}
          onClick={() => void copyIt(awaits.url!)}
        >
          {words.copyAddress}
        </Button>
      )}
    </li>
  );
}

/** The text of a question. A long one scrolls, because what it is about is below it. */
const PromptText = ({ text }: { text: string }) =>
  text.length < LONG_TEXT ? (
    <p>{text}</p>
  ) : (
    <ScrollRegion className={styles.prompt} label={runTexts.run.question}>
      {text}
    </ScrollRegion>
  );

/** What a run waits for: its turn in the queue, people, a time, a signal or another run. */
export default function RunWaits({ run, steps, onAnswer, onAnswerAll }: RunWaitsProps) {
  if (run.status === "pending") return <Queued run={run} />;
  const questions = run.suspensions ?? [];
  const others = (steps ?? []).filter(({ status, waitsFor }) => status === "waiting" && waitsFor !== "answer");
  if (questions.length + others.length === 0) return null;
  return (
    <ul className={styles.questions}>
      {questions.slice(0, MAX_SHOWN).map(one => (
        <li key={questionKey(one)} className={styles.question}>
          <div>
            <PromptText text={one.prompt} />
            <Asked run={run} steps={steps} asked={one} />
          </div>
          <CopyLink size="small" tone="quiet" run={run} asked={one} />
          <Button size="small" tone="primary" onClick={() => onAnswer(one)}>
            {runTexts.run.answer}
          </Button>
        </li>
      ))}
      {questions.length > 1 ? (
        <li>
          <Button size="small" onClick={onAnswerAll}>
            {words.answerAll(questions.length)}
          </Button>
        </li>
      ) : null}
      {others.slice(0, MAX_SHOWN).map(step => (
        <Waiting key={step.nodeId} step={step} />
      ))}
    </ul>
  );
}
