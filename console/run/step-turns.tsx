import type { Step } from "../data/run-types.ts";
import { logTexts as words } from "../messages/en-log.ts";
import { runTexts } from "../messages/en-run.ts";
import { exactClock } from "../messages/time.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { Status } from "../ui/status.tsx";
import styles from "./step-log.module.css";

type Turn = NonNullable<Step["turns"]>[number];
type Call = Turn["calls"][number];

const STATES = { open: "running", completed: "completed", failed: "failed", refused: "failed" } as const;

function CallOf({ call }: { call: Call }) {
  const { tool, status, approved, arguments: given, result, finishedAt } = call;
  return (
    <li className={styles.call}>
      <p className={styles.which}>
        <Status status={STATES[status]} iconOnly />
        <code className={styles.name}>{tool}</code>
        <span className={styles.took}>
          {approved === undefined ? null : approved ? runTexts.run.approved : runTexts.run.rejected}{" "}
          {finishedAt ? <time dateTime={finishedAt}>{exactClock(finishedAt)}</time> : null}
        </span>
      </p>
      <dl className={styles.values}>
        <dt>{words.given}</dt>
        <dd>
          <code>{given}</code>
        </dd>
        {result === null ? null : (
          <>
            <dt>{words.result}</dt>
            <dd>
              <code>{result}</code>
            </dd>
          </>
        )}
      </dl>
    </li>
  );
}

interface StepTurnsProps {
  turns: readonly Turn[];
  /** The text that the agent is writing in the current turn. */
  written: string;
}

/** The answers and tool calls of an agent, turn by turn. Long texts are cut; the log contains them in full. */
export default function StepTurns({ turns, written }: StepTurnsProps) {
  return (
    <ScrollRegion label={words.turns} className={styles.region}>
      <ol>
        {turns.map(({ turn, at, text, inputTokens, outputTokens, calls }) => (
          <li key={turn} className={styles.attempt}>
            <p className={styles.which}>
              <span className={styles.name}>{runTexts.run.turn(turn)}</span>
              <span className={styles.took}>{words.tokens(inputTokens, outputTokens)}</span>
            </p>
            <p className={styles.took}>
              <time dateTime={at}>{exactClock(at)}</time>
            </p>
            {text === "" ? null : <p className={styles.said}>{text}</p>}
            {calls.length > 0 ? (
              <ul>
                {calls.map(call => (
                  <CallOf key={call.callId} call={call} />
                ))}
              </ul>
            ) : null}
          </li>
        ))}
        {written === "" ? null : (
          <li className={styles.attempt}>
            <p className={styles.which}>
              <span className={styles.name}>{words.writing}</span>
            </p>
            <p className={styles.said} data-writing aria-live="off">
              {written}
            </p>
          </li>
        )}
      </ol>
    </ScrollRegion>
  );
}
