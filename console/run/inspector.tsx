import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { problemOf } from "../data/problem.ts";
import { outputQuery } from "../data/run.ts";
import type { Suspension } from "../data/question-address.ts";
import type { RunAddress, Step } from "../data/run-types.ts";
import { JsonView } from "../json/json-view.tsx";
import { logTexts as words } from "../messages/en-log.ts";
import { runTexts } from "../messages/en-run.ts";
import { m } from "../messages/index.ts";
import { durationText, fullTime } from "../messages/time.ts";
import { useOpenRun } from "../shell/use-open-run.ts";
import { useWorkspace } from "../shell/workspace.ts";
import { IconButton } from "../ui/button.tsx";
import { lazy } from "../ui/lazy.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Empty, Failure } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Time } from "../ui/time.tsx";
import { ErrorText } from "./error-text.tsx";
import type { GraphStep } from "./graph/definition.ts";
import { lookOf, StepIcon } from "./graph/step-look.tsx";
import styles from "./inspector.module.css";
import { isPass, nameOf } from "./passes.ts";
import type { StepTab } from "./search.ts";
import { type StreamedTexts, useStreamedTextOf } from "./streamed-texts.ts";
import { stateOf, stepKey } from "./step-state.ts";
import { useEscape } from "./use-escape.ts";

/** Most visits to a run do not answer a question, so the form is loaded when it is shown. */
const AnswerTab = lazy(() => import("./answer-tab.tsx"), "AnswerTab");

/** Loaded when its tab is opened. */
const StepLog = lazy(() => import("./step-log.tsx"));
const StepTurns = lazy(() => import("./step-turns.tsx"));

/** Only editors can pin outputs. */
const PinOutput = lazy(() => import("./pin-output.tsx"), "PinOutput");

interface InspectorProps {
  at: RunAddress;
  step: Step;
  /** The settings of the step in the version that ran. */
  setup: GraphStep | undefined;
  /** The open question of the step. */
  asked: Suspension | undefined;
  /** The tab that the user chose. */
  tab: StepTab | undefined;
  onTab: (tab: StepTab) => void;
  /** The workflow whose samples the user may pin. */
  workflowId: string | undefined;
  /** A JSON Pointer to the place in the value that is shown first. */
  pointer: string | undefined;
  /** The text that models are writing. */
  words: StreamedTexts;
  onClose: () => void;
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ValuesProps extends Pick<InspectorProps, "at" | "step" | "pointer" | "workflowId"> {
  which: "input" | "output" | "error";
  /** The text that the step's model is writing. */
  written: string;
}

/** The text of a model so far. Screen readers do not announce each word. */
const Writing = ({ text }: { text: string }) => (
  <ScrollRegion label={words.writing} className={styles.writing}>
    <p data-writing aria-live="off">
      {text}
    </p>
  </ScrollRegion>
);

function Values({ at, step, which, pointer, workflowId, written }: ValuesProps) {
  const ended = step.finishedAt !== null;
  const { data, error, refetch } = useQuery(outputQuery(at, step.nodeId, step.path, ended));
  if (error && !data) return <Failure problem={problemOf(error)} onRetry={() => void refetch()} small />;
  if (!data) return <SkeletonRows rows={4} />;
  const value = data[which];
  if (value === undefined || value === null) {
    if (which === "output" && !ended && written !== "") return <Writing text={written} />;
    return (
      <Empty
        title={
          which === "input" ? runTexts.run.noInput : which === "error" ? runTexts.run.noError : runTexts.run.noOutput
        }
        small
      />
    );
  }
  return (
    <JsonView
      actions={
        which === "output" && workflowId !== undefined && !isPass(step) ? (
          <Suspense fallback={<span className={styles.button} />}>
            <PinOutput at={at} workflowId={workflowId} step={step} />
          </Suspense>
        ) : null
      }
      key={`${which} ${pointer ?? ""}`}
      pointer={pointer}
      value={value}
      root={which === "output" ? `steps.${step.nodeId}` : which}
      name={`${step.nodeId}-${which}`}
    />
  );
}

/** All details of one step: its values, its error and its settings. */
export function Inspector(props: InspectorProps) {
  const { at, step, setup, asked: asks, tab: chosen, onTab, pointer, workflowId, onClose } = props;
  useEscape(onClose);
  // The tab of an answered question stays, because it shows the outcome.
  const [first] = useState(asks);
  const asked = asks ?? first;
  const said = useStreamedTextOf(props.words, stepKey(step.nodeId, step.path));
  // A finished turn already contains this text.
  const written = step.turns?.some(({ turn }) => turn === said?.turn) ? "" : (said?.text ?? "");
  const begun = step.status !== "pending" && step.status !== "skipped";
  const tab: StepTab = chosen ?? (asked ? "answer" : step.error ? "error" : begun ? "output" : "setup");
  const tabs = [
    ...(asked ? [{ value: "answer" as const, label: runTexts.run.question }] : []),
    ...(begun
      ? [
          { value: "output" as const, label: runTexts.run.output },
          { value: "input" as const, label: runTexts.run.input },
        ]
      : []),
    ...(step.error ? [{ value: "error" as const, label: runTexts.run.error }] : []),
    ...(step.attempt > 1 ? [{ value: "attempts" as const, label: words.attempts }] : []),
    ...(step.turns?.length ? [{ value: "turns" as const, label: words.turns }] : []),
    ...(begun && !isPass(step) ? [{ value: "log" as const, label: words.ofStep }] : []),
    ...(setup ? [{ value: "setup" as const, label: runTexts.run.setup }] : []),
  ];
  const name = nameOf(step);
  const openRun = useOpenRun(useWorkspace());
  return (
    <aside className={styles.inspector} aria-label={runTexts.run.inspect(name)}>
      <header className={styles.head}>
        <StepIcon type={step.type} />
        <div className={styles.titles}>
          <h2 className={styles.title}>{name}</h2>
          <p className={styles.type}>
            {lookOf(step.type).title} · <code>{step.nodeId}</code>
          </p>
        </div>
        <IconButton label={m.close} size="small" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <dl className={styles.facts}>
        <Fact label={runTexts.run.status}>
          <Status status={stateOf(step)} />
        </Fact>
        {step.startedAt ? (
          <Fact label={runTexts.run.startedAt}>
            <span title={fullTime(step.startedAt)}>
              <Time at={step.startedAt} />
            </span>
          </Fact>
        ) : null}
        {step.durationMs === null ? null : <Fact label={runTexts.run.duration}>{durationText(step.durationMs)}</Fact>}
        {step.attempt > 0 ? (
          <Fact label={runTexts.run.attempts}>{runTexts.run.attemptOf(step.attempt, step.attempts)}</Fact>
        ) : null}
        {step.childExecutionId === undefined ? null : (
          <Fact label={words.childRun}>
            <button
              type="button"
              className={styles.link}
              aria-label={words.openChild}
              onClick={() => void openRun(step.childExecutionId!)}
            >
              {words.open}
            </button>
          </Fact>
        )}
        {step.until ? (
          <Fact label={runTexts.run.until}>
            <Time at={step.until} />
          </Fact>
        ) : null}
      </dl>
      {step.error ? <ErrorText className={styles.error} error={step.error} /> : null}
      {tabs.length === 0 ? (
        <Empty title={runTexts.run.noValues} small />
      ) : (
        <div className={styles.tabs}>
          <Tabs
            label={runTexts.run.values}
            value={tabs.some(({ value }) => value === tab) ? tab : tabs[0]!.value}
            onChange={onTab}
            tabs={tabs}
          >
            <div className={styles.panel}>
              {tab === "answer" ? (
                asked && (
                  <Suspense fallback={<SkeletonRows rows={4} />}>
                    <AnswerTab at={at} asked={asked} />
                  </Suspense>
                )
              ) : tab === "setup" && setup ? (
                <JsonView value={setup.data ?? {}} root="data" name={`${step.nodeId}-data`} />
              ) : tab === "setup" ? null : tab === "turns" ? (
                <Suspense fallback={<SkeletonRows rows={4} />}>
                  <StepTurns turns={step.turns ?? []} written={step.finishedAt === null ? written : ""} />
                </Suspense>
              ) : tab === "log" || tab === "attempts" ? (
                <Suspense fallback={<SkeletonRows rows={4} />}>
                  <StepLog key={tab} at={at} step={step} attempts={tab === "attempts"} />
                </Suspense>
              ) : (
                <Values {...{ at, step, pointer, workflowId, written }} which={tab} />
              )}
            </div>
          </Tabs>
        </div>
      )}
    </aside>
  );
}
