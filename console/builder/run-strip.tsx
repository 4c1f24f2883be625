import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { Suspense, useState } from "react";
import type { Execution } from "../../sdk/definition.ts";
import { runPath } from "../data/paths.ts";
import type { TestRun } from "../data/trial.ts";
import type { StepPath } from "../data/run-types.ts";
import { words } from "../messages/en-builder.ts";
import { words as next } from "../messages/en-next-steps.ts";
import { durationText } from "../messages/time.ts";
import { words as trial } from "../messages/en-trial.ts";
import { ItemPicker } from "../run/item-picker.tsx";
import { includesRole, useWorkspace } from "../shell/workspace.ts";
import { Button, buttonClass, IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { lazy } from "../ui/lazy.tsx";
import { WithCode } from "../ui/markdown.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Status } from "../ui/status.tsx";
import { useDocumentOf } from "./document/index.ts";
import type { Scene } from "./scene.ts";
import { SuggestedActions } from "./suggested-actions.tsx";
import styles from "./builder-parts.module.css";
import type { ShownPass } from "./use-canvas-run.ts";

const AnswerTab = lazy(() => import("../run/answer-tab.tsx"), "AnswerTab");

const nameOf = (run: Execution) =>
  run.status === "suspended" && (run.suspensions?.length ?? 0) > 0 ? ("asking" as const) : run.status;

const tookMs = ({ startedAt, finishedAt, createdAt }: Execution) =>
  Date.parse(finishedAt ?? createdAt) - Date.parse(startedAt ?? createdAt);

/** The result of a test run whose steps the canvas shows. */
export function TrialStrip({ tried, onOpen, onClose }: { tried: TestRun; onOpen: () => void; onClose: () => void }) {
  return (
    <div className={styles.strip} role="status">
      <Status status={tried.status === "suspended" ? "asking" : tried.status} />
      <span className={styles.note}>{tried.error?.message ?? trial.notStored}</span>
      <Button size="small" onClick={onOpen}>
        {trial.strip}
      </Button>
      <IconButton label={words.closeRun} size="small" onClick={onClose}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

/** Selects a step and moves the canvas to it, also if it is selected already. */
function showStep(scene: Scene, id: string): void {
  scene.select([id]);
  const box = scene.boxes().absolute.get(id);
  if (box) scene.show([box]);
}

interface RunStripProps {
  scene: Scene;
  run: Execution;
  /** Offered after a successful run while no version is deployed. */
  onDeploy: (() => void) | undefined;
  /** The item or round whose steps are shown, with a way to choose another. */
  pass: ShownPass | undefined;
  onGo: (path: StepPath) => void;
  onClose: () => void;
}

/** The run whose steps the canvas shows. */
export function RunStrip({ scene, run, onDeploy, pass, onGo, onClose }: RunStripProps) {
  const { slug, role } = useWorkspace();
  const mayEdit = includesRole(role, "editor");
  const [answering, setAnswering] = useState(false);
  const asked = run.suspensions?.[0];
  const failedAt = run.error?.nodeId;
  // The step may have been deleted since the run began.
  const canShow = useDocumentOf(scene.doc, ({ nodes }) => failedAt !== undefined && nodes.has(failedAt));
  const address = { workspaceId: run.workspaceId, spaceId: run.spaceId, id: run.id };
  return (
    <div className={styles.strip} role="status" data-run>
      <Status status={nameOf(run)} />
      {run.status === "completed" ? (
        <>
          <span className={styles.note}>{next.finishedIn(durationText(tookMs(run)))}</span>
          {mayEdit ? <SuggestedActions workflowId={run.workflowId} onDeploy={onDeploy} /> : null}
        </>
      ) : null}
      {pass ? <ItemPicker at={address} {...pass} onGo={onGo} /> : null}
      {run.error ? (
        <span className={styles.note}>
          <WithCode text={run.error.message} />
        </span>
      ) : null}
      {canShow ? (
        <Button size="small" onClick={() => showStep(scene, failedAt!)}>
          {words.showFailed}
        </Button>
      ) : null}
      {asked ? (
        <Button size="small" tone="primary" onClick={() => setAnswering(true)}>
          {words.answer}
        </Button>
      ) : null}
      {answering && asked ? (
        <Dialog open title={words.answerTitle} onClose={() => setAnswering(false)}>
          <Suspense fallback={<SkeletonRows rows={4} />}>
            <AnswerTab at={run} asked={asked} />
          </Suspense>
        </Dialog>
      ) : null}
      <Link to={runPath(slug, run)} className={buttonClass({ size: "small" })}>
        {words.openRun}
      </Link>
      <IconButton label={words.closeRun} size="small" onClick={onClose}>
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
