import { useQuery } from "@tanstack/react-query";
import type { Execution } from "../../sdk/definition.ts";
import { questionKey, type Suspension } from "../data/question-address.ts";
import type { Step } from "../data/run-types.ts";
import { newestRunsQuery } from "../data/runs.ts";
import { useMemberNames } from "../data/workspaces.ts";
import { runTexts } from "../messages/en-run.ts";
import { waits as words } from "../messages/en-waits.ts";
import { CopyLink } from "../question/copy-link.tsx";
import { Button } from "../ui/button.tsx";
import { Time } from "../ui/time.tsx";
import styles from "./run-head.module.css";
import { pathText } from "./step-state.ts";

/** More questions than these are answered from the inbox or the tree, and more waits are in the tree. */
const MAX_SHOWN = 3;
/** Runs that are looked through for the place of one in the queue. */
const MAX_QUEUED = 100;

interface RunWaitsProps {
  run: Execution;
  /** The steps of the run itself, when they are known. */
  steps: readonly Step[] | undefined;
  /** Shows the form of a question. */
  onAnswer: (question: Suspension) => void;
}

/** The place of a run that has not begun. */
function Queued({ run }: { run: Execution }) {
  const { data } = useQuery(newestRunsQuery(run.workspaceId, { status: ["pending"] }, MAX_QUEUED));
  // Ids sort by creation. The list has the newest runs, so it says nothing of older ones when it is full.
  const before = data?.filter(({ id }) => id < run.id).length ?? 0;
  const place = data && (data.length < MAX_QUEUED ? words.place(before) : words.many(before));
  return (
    <p className={styles.waiting}>
      <strong>{words.queued}.</strong> {place} {words.why}
    </p>
  );
}

/** Whom a question asks, since when and until when. */
function Asked({ run, steps, asked }: Omit<RunWaitsProps, "onAnswer"> & { asked: Suspension }) {
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

/** What a run waits for: its turn, people, a time, a signal or another run. */
export default function RunWaits({ run, steps, onAnswer }: RunWaitsProps) {
  if (run.status === "pending") return <Queued run={run} />;
  const questions = run.suspensions ?? [];
  const others = (steps ?? []).filter(({ status, waitsFor }) => status === "waiting" && waitsFor !== "answer");
  if (questions.length + others.length === 0) return null;
  return (
    <ul className={styles.questions}>
      {questions.slice(0, MAX_SHOWN).map(one => (
        <li key={questionKey(one)} className={styles.question}>
          <span>
            {one.prompt}
            <Asked run={run} steps={steps} asked={one} />
          </span>
          <CopyLink size="small" tone="quiet" run={run} asked={one} />
          <Button size="small" tone="primary" onClick={() => onAnswer(one)}>
            {runTexts.run.answer}
          </Button>
        </li>
      ))}
      {others.slice(0, MAX_SHOWN).map(({ nodeId, name, waitsFor = "delay", startedAt, until }) => (
        <li key={nodeId} className={styles.waiting}>
          <strong>{name}</strong> · {runTexts.run.waitsFor[waitsFor]}
          {startedAt ? (
            <>
              {" "}
              {words.began} <Time at={startedAt} />
            </>
          ) : null}
          {until ? (
            <>
              {"; "}
              {words.goesOn} <Time at={until} />
            </>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
