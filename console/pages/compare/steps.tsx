import { ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { ComparedStep } from "../../data/compare.ts";
import { ChangeList } from "../../json/change-list.tsx";
import { comparison as words } from "../../messages/en-comparison.ts";
import { runTexts } from "../../messages/en-run.ts";
import { durationText } from "../../messages/time.ts";
import { StepIcon } from "../../run/graph/step-look.tsx";
import { isPass } from "../../run/passes.ts";
import { stepKey } from "../../run/step-state.ts";
import { Status } from "../../ui/status.tsx";
import styles from "./steps.module.css";

/** Smaller differences in duration are ignored, because no two runs take exactly the same time. */
const NOTABLE_MS = 100;
const NOTABLE_SHARE = 0.2;

function TimeOf({ a, b }: Pick<ComparedStep, "a" | "b">) {
  const [before, after] = [a?.durationMs ?? null, b?.durationMs ?? null];
  if (before === null || after === null) {
    const only = before ?? after;
    return <span className={styles.time}>{only === null ? "" : durationText(only)}</span>;
  }
  const gap = after - before;
  const isNotable = Math.abs(gap) >= NOTABLE_MS && Math.abs(gap) >= before * NOTABLE_SHARE;
  return (
    <span className={styles.time}>
      {isNotable ? `${durationText(before)} → ${durationText(after)}` : durationText(after)}
      {isNotable ? (
        <span className={gap > 0 ? styles.slower : styles.faster}>
          {gap > 0 ? "+" : "−"}
          {durationText(Math.abs(gap))}
        </span>
      ) : null}
    </span>
  );
}

function States({ a, b }: Pick<ComparedStep, "a" | "b">) {
  if (a && b && a.status === b.status) return <Status status={stateName(a)} />;
  return (
    <span className={styles.states}>
      {a ? <Status status={stateName(a)} /> : <span className={styles.absent}>{words.notRun}</span>}
      <span aria-hidden>→</span>
      {b ? <Status status={stateName(b)} /> : <span className={styles.absent}>{words.notRun}</span>}
    </span>
  );
}

const stateName = ({ status }: NonNullable<ComparedStep["a"]>) => (status === "waiting" ? "suspended" : status);

function Details({ step }: { step: ComparedStep }) {
  const errors = [step.a?.error, step.b?.error].filter(error => error !== null && error !== undefined);
  return (
    <div className={styles.details}>
      {errors.map(({ code, message }, n) => (
        <p key={n} className={styles.error}>
          <code>{code}</code> {message}
        </p>
      ))}
      {step.output && step.output.length > 0 ? (
        <ChangeList changes={step.output} label={`${words.output}: ${step.name}`} />
      ) : step.output === null ? (
        <p className={styles.note}>{words.notCompared}</p>
      ) : null}
    </div>
  );
}

function StepRow({ step }: { step: ComparedStep }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { name, type, path = [], change, a, b, output } = step;
  const hasDetails = change !== "equal" && (output !== undefined || a?.error || b?.error);
  const isItem = isPass({ type });
  const row = (
    <>
      <span className={styles.twist} data-open={open || undefined}>
        {hasDetails ? <ChevronRight size={14} aria-hidden /> : null}
      </span>
      <StepIcon type={type} size={15} />
      <span className={styles.name}>{name}</span>
      <span className={styles.items}>{path.map(({ index }) => runTexts.run.item(index)).join(" · ")}</span>
      <span className={styles.what} data-change={change}>
        {change === "changed" && output && output.length > 0 && !isItem
          ? words.changes(output.length)
          : words.change[change]}
      </span>
      <States a={a} b={b} />
      <TimeOf a={a} b={b} />
    </>
  );
  return (
    <li className={styles.step} data-equal={change === "equal" || undefined}>
      {hasDetails ? (
        <button
          type="button"
          className={styles.row}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {row}
        </button>
      ) : (
        <div className={styles.row}>{row}</div>
      )}
      {open ? (
        <div id={id}>
          <Details step={step} />
        </div>
      ) : null}
    </li>
  );
}

/** Consecutive equal steps, collapsed into one row. */
function EqualSteps({ steps }: { steps: readonly ComparedStep[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <li className={styles.fold}>
        <button type="button" className={styles.row} aria-expanded={open} onClick={() => setOpen(!open)}>
          <span className={styles.twist} data-open={open || undefined}>
            <ChevronRight size={14} aria-hidden />
          </span>
          {words.equalSteps(steps.length)}
        </button>
      </li>
      {open ? steps.map(step => <StepRow key={stepKey(step.nodeId, step.path)} step={step} />) : null}
    </>
  );
}

/** The steps of two runs side by side, in the order in which they ran. Equal steps are collapsed. */
export function ComparedSteps({ steps }: { steps: readonly ComparedStep[] }) {
  const groups: ComparedStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.change === "equal" && last?.[0]?.change === "equal") last.push(step);
    else groups.push([step]);
  }
  return (
    <ol className={styles.list} aria-label={words.steps}>
      {groups.map(group => {
        const [first] = group;
        const key = stepKey(first!.nodeId, first!.path);
        return group.length > 1 ? <EqualSteps key={key} steps={group} /> : <StepRow key={key} step={first!} />;
      })}
    </ol>
  );
}
