import { Link } from "@tanstack/react-router";
import { ChevronDown, GitCompareArrows, RotateCcw, Square } from "lucide-react";
import { Suspense, useState } from "react";
import type { Execution } from "../../sdk/definition.ts";
import { builderPath } from "../data/paths.ts";
import type { Suspension } from "../data/question-address.ts";
import type { RetryChoice } from "../data/run-actions.ts";
import type { RunAddress, Step } from "../data/run-types.ts";
import { useMemberNames } from "../data/workspaces.ts";
import { runTexts } from "../messages/en-run.ts";
import { m } from "../messages/index.ts";
import { useWorkspace } from "../shell/workspace.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { lazy } from "../ui/lazy.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import { Status } from "../ui/status.tsx";
import { Duration, Time } from "../ui/time.tsx";
import { ErrorText } from "./error-text.tsx";
import RunWaits from "./run-waits.tsx";
import { isPass } from "./passes.ts";
import styles from "./run-head.module.css";
import { RunNames } from "./run-names.tsx";
import { startText, starterText } from "./run-start.ts";

const CancelDialog = lazy(() => import("./cancel-dialog.tsx"), "CancelDialog");
const QuestionsDialog = lazy(() => import("./questions-dialog.tsx"));
const RetryChain = lazy(() => import("./retry-chain.tsx"));
const RetryDialog = lazy(() => import("./retry-dialog.tsx"), "RetryDialog");

interface RunHeadProps {
  at: RunAddress;
  run: Execution;
  /** The name of the workflow. Undefined while it is unknown. */
  name: string | undefined;
  canEdit: boolean;
  /** Step names by id. */
  stepNames: ReadonlyMap<string, string>;
  /** Whether the definition has compensations. */
  undoable: boolean;
  selected: Step | undefined;
  /** The steps on the top level of the run. Undefined until they are loaded. */
  steps: readonly Step[] | undefined;
  onOpenRun: (id: string) => void;
  /** Opens the form of a question. */
  onAnswer: (question: Suspension) => void;
  /** Compares this run with an earlier one. */
  onCompare: (id: string) => void;
}

const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** The head of the page: the state of the run in one line, and its actions. */
export function RunHead(props: RunHeadProps) {
  const { at, run, name, canEdit, stepNames, undoable, selected, steps, onOpenRun, onAnswer, onCompare } = props;
  const names = useMemberNames(at.workspaceId);
  const { slug } = useWorkspace();
  const [again, setAgain] = useState<RetryChoice>();
  const [asks, setAsks] = useState(false);
  const [all, setAll] = useState<readonly Suspension[]>();
  const ended = ENDED.has(run.status);
  const questions = run.suspensions ?? [];
  const former = run.trigger.type === "retry" ? run.trigger.id : undefined;
  const who = starterText(run, names.get(run.startedBy));
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <h1 className={styles.title}>{name ?? runTexts.run.title}</h1>
        <span className={styles.version}>v{run.workflowVersion}</span>
        <Status status={run.status === "suspended" && questions.length > 0 ? "asking" : run.status} />
        <div className={styles.actions}>
          <Link
            to={builderPath(slug, { spaceId: at.spaceId, id: run.workflowId })}
            {...(selected && !isPass(selected) && { search: { n: selected.nodeId } })}
            className={buttonClass({ size: "small", tone: "quiet" }, styles.open)}
          >
            {runTexts.run.openBuilder}
          </Link>
          {!ended ? (
            <Button
              size="small"
              icon={<Square size={13} aria-hidden />}
              aria-disabled={!canEdit || undefined}
              title={canEdit ? undefined : m.needsRole(m.role.editor)}
              onClick={() => canEdit && setAsks(true)}
            >
              {runTexts.run.cancel}
            </Button>
          ) : null}
          {former === undefined ? null : (
            <Button size="small" icon={<GitCompareArrows size={13} aria-hidden />} onClick={() => onCompare(former)}>
              {m.compare.withFormer}
            </Button>
          )}
          {ended && !canEdit ? (
            <Button
              size="small"
              aria-disabled
              title={m.needsRole(m.role.editor)}
              icon={<RotateCcw size={13} aria-hidden />}
            >
              {runTexts.run.retry}
            </Button>
          ) : null}
          {ended && canEdit ? (
            <Menu
              align="end"
              trigger={
                <Button size="small" icon={<RotateCcw size={13} aria-hidden />}>
                  {runTexts.run.retry} <ChevronDown size={13} aria-hidden />
                </Button>
              }
            >
              {run.status === "completed" ? null : (
                <MenuItem onSelect={() => setAgain({})}>{runTexts.run.retryFailed}</MenuItem>
              )}
              {selected && selected.path === undefined ? (
                <MenuItem onSelect={() => setAgain({ fromNode: selected.nodeId })}>
                  {runTexts.run.retryFrom(selected.name)}
                </MenuItem>
              ) : null}
              <MenuItem onSelect={() => setAgain({ fromStart: true })}>{runTexts.run.retryStart}</MenuItem>
              <MenuSeparator />
              <MenuItem onSelect={() => setAgain({ fromStart: true, version: "latest" })}>
                {runTexts.run.retryLatest}
              </MenuItem>
            </Menu>
          ) : null}
        </div>
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{runTexts.run.duration}</dt>
          <dd>
            <Duration from={run.startedAt} to={run.finishedAt} />
          </dd>
        </div>
        <div>
          <dt>{runTexts.run.startedAt}</dt>
          <dd>
            <Time at={run.createdAt} />
          </dd>
        </div>
        {run.compensation ? (
          <div>
            <dt>{runTexts.run.compensation}</dt>
            <dd>
              {runTexts.run.compensated(
                run.compensation.status,
                run.compensation.compensated.length,
                run.compensation.failed.length,
              )}
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{runTexts.run.trigger}</dt>
          <dd>
            {startText(run)}
            {who === "" ? "" : ` · ${who}`}
          </dd>
        </div>
        <RunNames run={run} />
        {run.attempt > 1 ? (
          <div>
            <dt>{runTexts.run.attempts}</dt>
            <dd>{run.attempt}</dd>
          </div>
        ) : null}
        {former === undefined ? null : (
          <div>
            <dt>{runTexts.run.retryOf}</dt>
            <dd>
              <button type="button" className={styles.link} onClick={() => onOpenRun(former)}>
                {runTexts.run.former}
              </button>
            </dd>
          </div>
        )}
        {run.retriedBy === undefined ? null : (
          <div>
            <dt>{runTexts.run.retriedBy}</dt>
            <dd>
              <button type="button" className={styles.link} onClick={() => onOpenRun(run.retriedBy!)}>
                {runTexts.run.later}
              </button>
            </dd>
          </div>
        )}
        {run.attempt > 1 || run.retriedBy !== undefined ? (
          <Suspense fallback={null}>
            <RetryChain run={run} onOpenRun={onOpenRun} />
          </Suspense>
        ) : null}
        {run.parent ? (
          <div>
            <dt>{runTexts.run.parent}</dt>
            <dd>
              <button type="button" className={styles.link} onClick={() => onOpenRun(run.parent!.executionId)}>
                {runTexts.run.openParent}
              </button>
            </dd>
          </div>
        ) : null}
        <div>
          <dt>{runTexts.run.id}</dt>
          <dd>
            <code>{run.id}</code>
          </dd>
        </div>
      </dl>
      {run.error ? (
        <ErrorText className={styles.error} error={run.error} />
      ) : ended ? null : (
        <Suspense fallback={null}>
          <RunWaits run={run} steps={steps} onAnswer={onAnswer} onAnswerAll={() => setAll(questions)} />
        </Suspense>
      )}
      {all ? (
        <Suspense fallback={null}>
          <QuestionsDialog at={at} questions={all} onClose={() => setAll(undefined)} />
        </Suspense>
      ) : null}
      {again ? (
        <Suspense fallback={null}>
          <RetryDialog
            at={at}
            choice={again}
            names={stepNames}
            onClose={() => setAgain(undefined)}
            onOpenRun={onOpenRun}
          />
        </Suspense>
      ) : null}
      {asks ? (
        <Suspense fallback={null}>
          <CancelDialog at={at} run={run} undoable={undoable} onClose={() => setAsks(false)} />
        </Suspense>
      ) : null}
    </header>
  );
}
