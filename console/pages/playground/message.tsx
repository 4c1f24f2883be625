import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Wrench } from "lucide-react";
import { runPath } from "../../data/paths.ts";
import { answerOf } from "../../data/playground.ts";
import { problemOf } from "../../data/problem.ts";
import { questionKey } from "../../data/question-address.ts";
import { useRunEvents } from "../../data/run-events.ts";
import { runQuery, stepsQuery } from "../../data/run.ts";
import type { Step } from "../../data/run-types.ts";
import type { Run } from "../../data/runs.ts";
import { useMe } from "../../data/session.ts";
import { words } from "../../messages/en-playground.ts";
import { AskedQuestion } from "../../question/asked-question.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, Notice } from "../../ui/states.tsx";
import { Duration, Time } from "../../ui/time.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { RunStatus } from "../runs/run-status.tsx";
import styles from "./playground.module.css";
import { useStreamedText } from "./use-streamed-text.ts";

type Turn = NonNullable<Step["turns"]>[number];
type Call = Turn["calls"][number];

const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

function CallView({ call }: { call: Call }) {
  const { tool, arguments: given, status, result, approved } = call;
  return (
    <details className={styles.call}>
      <summary>
        <ChevronRight size={14} aria-hidden className={styles.chevron} />
        <Wrench size={14} aria-hidden />
        <span className={styles.tool}>{words.called(tool)}</span>
        <span className={styles.state} data-state={status}>
          {words.call[status]}
        </span>
      </summary>
      {approved ? <p className={styles.quiet}>{words.approved}</p> : null}
      <h3>{words.arguments}</h3>
      <ScrollRegion as="pre" label={words.arguments}>
        {given}
      </ScrollRegion>
      {result === null ? null : (
        <>
          <h3>{words.result}</h3>
          <ScrollRegion as="pre" label={words.result}>
            {result}
          </ScrollRegion>
        </>
      )}
    </details>
  );
}

/** The turns of the agents in a run so far. */
function Turns({ steps }: { steps: readonly Step[] }) {
  const turns = steps.flatMap(({ nodeId, turns: done = [] }) => done.map(turn => ({ nodeId, ...turn })));
  // The text of the last turn is the answer, which is shown below.
  const shown = turns.filter(({ calls }) => calls.length > 0);
  if (shown.length === 0) return null;
  return (
    <ol className={styles.turns}>
      {shown.map(({ nodeId, turn, text, calls }) => (
        <li key={`${nodeId} ${turn}`}>
          {text === "" ? null : <p className={styles.thought}>{text}</p>}
          {calls.map(call => (
            <CallView key={call.callId} call={call} />
          ))}
        </li>
      ))}
    </ol>
  );
}

const textOf = (input: unknown, field: string): string => {
  const given = (input as Record<string, unknown> | null)?.[field];
  return typeof given === "string" ? given : JSON.stringify(input);
};

interface MessageProps {
  run: Run;
  /** The input field that contains the message. */
  field: string;
}

/** One message and the reaction to it: the turns of the agent, its questions, and its answer. */
export function Message({ run: { id, spaceId, status: seen }, field }: MessageProps) {
  const { id: workspaceId, slug } = useWorkspace();
  const { id: myId } = useMe();
  const at = { workspaceId, spaceId, id };
  const { data: run, error, refetch } = useQuery(runQuery(at));
  const ended = ENDED.has(run?.status ?? seen);
  const { data: level } = useQuery(stepsQuery(at, []));
  const agents = level?.steps.filter(({ turns }) => turns !== undefined) ?? [];
  const writing = useStreamedText(agents);
  useRunEvents(at, !ended, writing.hear);
  const tokens = agents
    .flatMap(({ turns = [] }) => turns)
    .reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
  if (error && !run) return <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!run) return <SkeletonRows rows={2} />;
  const answer = answerOf(run.output);
  return (
    <article className={styles.message} data-run={id}>
      <div className={styles.said}>
        <h2 className="visually-hidden">{words.you}</h2>
        <p>{textOf(run.input, field)}</p>
      </div>
      <div className={styles.came}>
        <h2 className="visually-hidden">{words.answer}</h2>
        <Turns steps={agents} />
        {(run.suspensions ?? []).map(asked => (
          <section key={questionKey(asked)} className={styles.asks} aria-label={words.asks}>
            <AskedQuestion
              small
              workspaceId={workspaceId}
              runId={id}
              asked={asked}
              userId={myId}
              onOver={() => void refetch()}
            />
          </section>
        ))}
        {!ended && writing.text !== "" ? (
          // The conversation is a live region. Without this, screen readers would announce each word.
          <p className={styles.answer} data-writing aria-live="off">
            {writing.text}
          </p>
        ) : null}
        {run.status === "completed" ? <p className={styles.answer}>{answer === "" ? words.noText : answer}</p> : null}
        {run.status === "failed" ? (
          <Notice tone="bad">
            <strong>{run.error?.message}</strong> {words.failed}
          </Notice>
        ) : null}
        {run.status === "cancelled" ? <Notice>{words.cancelled}</Notice> : null}
        <footer className={styles.foot}>
          <RunStatus run={run} />
          {ended ? <Duration from={run.startedAt} to={run.finishedAt} /> : <Time at={run.createdAt} />}
          {tokens > 0 ? <span>{words.tokens(tokens)}</span> : null}
          <Link to={runPath(slug, run)}>{words.openRun}</Link>
        </footer>
      </div>
    </article>
  );
}
