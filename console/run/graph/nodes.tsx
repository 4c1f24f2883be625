import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { runTexts } from "../../messages/en-run.ts";
import { waits } from "../../messages/en-waits.ts";
import { m } from "../../messages/index.ts";
import { durationText } from "../../messages/time.ts";
import { cx } from "../../ui/cx.ts";
import type { StatusName } from "../../ui/status-name.ts";
import { Status } from "../../ui/status.tsx";
import { useClockText } from "../../ui/time.tsx";
import type { Step } from "../../data/run-types.ts";
import { passesText } from "../passes.ts";
import { stateOf } from "../step-state.ts";
import { COMPENSATION_HANDLE } from "./definition.ts";
import { fitsStep } from "./fits.ts";
import { lookOf, StepIcon } from "./step-look.tsx";
import styles from "./nodes.module.css";

export interface NodeData extends Record<string, unknown> {
  name: string;
  type: string;
  handles: readonly string[];
  disabled: boolean;
  /** Undefined if the run has no such step, or if a version is shown without a run. */
  step: Step | undefined;
  selected: boolean;
}
export type GraphNode = Node<NodeData>;

const NOTHING: StatusName = "unstarted";

/** The second line of a step: why it waits, its attempts, or its duration. */
function note({ step, type }: NodeData): string {
  if (!step || step.status === "pending") return lookOf(type).title;
  if (step.items) return passesText(step.items);
  if (step.status === "waiting") return runTexts.run.waitsFor[step.waitsFor ?? "delay"];
  if (step.error && step.status === "failed") return step.error.message;
  if (step.durationMs !== null && step.status === "completed") return durationText(step.durationMs);
  return m.status[stateOf(step)];
}

/** How long a step still waits, updated every second. */
function TimeLeft({ until, waitsFor = "delay" }: { until: string; waitsFor: Step["waitsFor"] }) {
  return useClockText(now => waits.within[waitsFor](durationText(Date.parse(until) - now)));
}

/** The second line of a step. */
const Note = ({ step, text }: { step: Step | undefined; text: string }) =>
  step?.status === "waiting" && step.until !== undefined ? (
    <TimeLeft until={step.until} waitsFor={step.waitsFor} />
  ) : (
    text
  );

function Handles({ handles, incoming }: { handles: readonly string[]; incoming: boolean }) {
  const ways = handles.filter(id => id !== COMPENSATION_HANDLE);
  return (
    <>
      {incoming ? (
        <Handle type="target" position={Position.Left} className={styles.handle} isConnectable={false} />
      ) : null}
      {handles.includes(COMPENSATION_HANDLE) ? (
        <Handle
          id={COMPENSATION_HANDLE}
          type="source"
          position={Position.Bottom}
          className={styles.handle}
          isConnectable={false}
        />
      ) : null}
      {ways.map((id, n) => (
        <Handle
          key={id}
          id={id}
          type="source"
          position={Position.Right}
          className={styles.handle}
          isConnectable={false}
          style={{ top: `${((n + 1) * 100) / (ways.length + 1)}%` }}
        />
      ))}
    </>
  );
}

export const StepNode = memo(function StepNode({ data }: NodeProps<GraphNode>) {
  const { step, type, name, selected, disabled, handles } = data;
  const { category } = lookOf(type);
  const state = step ? stateOf(step) : NOTHING;
  const retried = step && step.attempt > 1;
  const said = note(data);
  const whole = (text: string) =>
    fitsStep(text, Number(step !== undefined) + 2 * Number(retried === true)) && styles.whole;
  return (
    <div
      className={cx(styles.step, styles[category], selected && styles.selected, disabled && styles.disabled)}
      data-state={step ? state : undefined}
    >
      <Handles handles={handles} incoming={category !== "start"} />
      <span className={styles.icon}>
        <StepIcon type={type} />
      </span>
      <span className={styles.texts}>
        <span className={cx(styles.name, whole(name))}>{name}</span>
        <span className={cx(styles.note, whole(said))}>
          <Note step={step} text={said} />
        </span>
      </span>
      {step ? (
        <span className={styles.state}>
          {retried ? (
            <span className={styles.attempt}>
              {step.attempt}
              {step.attempts === null || step.attempt > step.attempts ? "" : `/${step.attempts}`}
            </span>
          ) : null}
          <Status status={state} iconOnly />
        </span>
      ) : null}
    </div>
  );
});

/** A map or loop: a frame around the steps of one item or round, with a summary of all of them. */
export const ContainerNode = memo(function ContainerNode({ data }: NodeProps<GraphNode>) {
  const { step, type, name, selected, handles } = data;
  const { total = 0, completed = 0, failed = 0, running = 0 } = step?.items ?? {};
  const share = (n: number) => ({ inlineSize: `${total === 0 ? 0 : (n * 100) / total}%` });
  return (
    <div className={cx(styles.container, selected && styles.selected)} data-state={step ? stateOf(step) : undefined}>
      <Handles handles={handles} incoming />
      <div className={styles.header}>
        <span className={styles.icon}>
          <StepIcon type={type} />
        </span>
        <span className={styles.texts}>
          <span className={styles.name}>{name}</span>
          <span className={styles.note}>{note(data)}</span>
        </span>
        {step ? <Status status={stateOf(step)} iconOnly /> : null}
      </div>
      {total > 0 ? (
        <div className={styles.bar} aria-hidden>
          <span className={styles.done} style={share(completed)} />
          <span className={styles.bad} style={share(failed)} />
          <span className={styles.now} style={share(running)} />
        </div>
      ) : null}
    </div>
  );
});
