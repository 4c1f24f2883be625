import { ChevronRight, Plus } from "lucide-react";
import { useEffect, useRef } from "react";
import type { TestRun } from "../../data/trial.ts";
import { JsonView } from "../../json/json-view.tsx";
import { words } from "../../messages/en-trial.ts";
import { runTexts } from "../../messages/en-run.ts";
import { durationText } from "../../messages/time.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/states.tsx";
import { Status } from "../../ui/status.tsx";
import styles from "./trial.module.css";

const NAMES = { completed: "completed", failed: "failed", suspended: "suspended" } as const;
const STEP_NAMES = {
  completed: "completed",
  failed: "failed",
  skipped: "skipped",
  waiting: "suspended",
  // The step was still running when the run ended.
  running: "cancelled",
} as const;

/** Scrolls the dialog to the result. `scrollIntoView` would also scroll the dialog's header out of view. */
function showIn(section: HTMLElement | null): void {
  let around = section?.parentElement;
  while (around && getComputedStyle(around).overflowY !== "auto") around = around.parentElement;
  if (section && around) around.scrollTop += section.getBoundingClientRect().top - around.getBoundingClientRect().top;
}

/** The error code of a step that reaches outside and has no mock. */
const NOT_MOCKED = "not_mocked";

function itemsText(path: TestRun["steps"][number]["path"] = []): string {
  return path.map(({ index }) => runTexts.run.item(index)).join(", ");
}

interface TrialResultProps {
  result: TestRun;
  nameOf: (id: string) => string;
  /** Adds a mock for a step that needed one. */
  onMock: (nodeId: string) => void;
}

/** The result of a test run: how it ended, and each step with its output. */
export function TrialResult({ result, nameOf, onMock }: TrialResultProps) {
  const { status, error, steps, output, truncated } = result;
  const section = useRef<HTMLElement>(null);
  // The result is below the form, which may fill the window.
  useEffect(() => showIn(section.current), [result]);
  const asks = status === "suspended" && steps.some(step => step.status === "waiting" && step.nodeType !== "wait");
  const unmocked = steps.find(step => step.error?.code === NOT_MOCKED);
  return (
    <section ref={section} className={styles.result} aria-label={words.result}>
      <p className={styles.end} role="status">
        <Status status={asks ? "asking" : NAMES[status]} />
        <span className={styles.quiet}>{words.notStored}</span>
      </p>
      {error ? (
        <Notice
          tone="bad"
          action={
            unmocked && (
              <Button size="small" icon={<Plus size={14} aria-hidden />} onClick={() => onMock(unmocked.nodeId)}>
                {words.mockStep}
              </Button>
            )
          }
        >
          <code>{error.code}</code> {error.message}
        </Notice>
      ) : null}
      {truncated ? <Notice>{words.truncated}</Notice> : null}
      <ul className={styles.steps}>
        {steps.map((step, n) => (
          <li key={n}>
            <details>
              <summary className={styles.step}>
                <ChevronRight size={14} aria-hidden />
                <Status status={STEP_NAMES[step.status]} iconOnly />
                <span className={styles.name}>{nameOf(step.nodeId)}</span>
                <span className={styles.quiet}>
                  {[
                    itemsText(step.path),
                    step.mocked ? words.mocked : "",
                    step.durationMs === null ? "" : durationText(step.durationMs),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </summary>
              {step.error ? (
                <p className={styles.error}>
                  <code>{step.error.code}</code> {step.error.message}
                </p>
              ) : (
                <div className={styles.value}>
                  <JsonView value={step.output} root={`steps.${step.nodeId}`} name={`${step.nodeId}-output`} />
                </div>
              )}
              {step.log.length > 0 ? (
                <ul className={styles.log}>
                  {step.log.map(({ level, message }, at) => (
                    <li key={at} data-level={level}>
                      {message}
                    </li>
                  ))}
                </ul>
              ) : null}
            </details>
          </li>
        ))}
      </ul>
      {status === "completed" ? (
        <>
          <h3 className={styles.label}>{words.output}</h3>
          <div className={styles.output}>
            <JsonView value={output} root="output" name="output" />
          </div>
        </>
      ) : null}
    </section>
  );
}
