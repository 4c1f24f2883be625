import { Suspense, useState } from "react";
import { deployWorkflow, type StoredWorkflow, type WorkflowAddress } from "../data/builder.ts";
import type { TestRun } from "../data/trial.ts";
import type { Execution } from "../../sdk/definition.ts";
import { lazy } from "../ui/lazy.tsx";
import type { WorkflowContent } from "./draft.ts";
import type { DraftSaver } from "./draft-saver.ts";
import type { Dialog, Scene } from "./scene.ts";
import type { FoundFault } from "./use-check.ts";
import { useBase, useConflict, useMessage, useSaveState } from "./use-draft-saver.ts";

// Dialogs are loaded when they are first opened.
const DeployDialog = lazy(() => import("./deploy-dialog.tsx"), "DeployDialog");
const MergeDialog = lazy(() => import("./merge/merge-dialog.tsx"), "MergeDialog");
const RunDialog = lazy(() => import("./run-dialog.tsx"), "RunDialog");
const TrialDialog = lazy(() => import("./trial/trial-dialog.tsx"), "TrialDialog");
const SaveDialog = lazy(() => import("./save-dialog.tsx"), "SaveDialog");

interface DialogsProps {
  at: WorkflowAddress;
  scene: Scene;
  saver: DraftSaver;
  dialog: Dialog;
  live: number | null;
  faults: readonly FoundFault[];
  mayDeploy: boolean;
  lastRun: Execution | undefined;
  save: () => Promise<boolean>;
  onStarted: (runId: string) => void;
  onTried: (result: TestRun) => void;
  onDeployed: (stored: StoredWorkflow) => void;
  onClose: () => void;
}

/** Deploys the workflow that is being edited. A draft is saved first. */
function DeployHere({ at, scene, saver, live, faults, mayDeploy, save, onDeployed, onClose }: DialogsProps) {
  const state = useSaveState(saver);
  const base = useBase(saver);
  const message = useMessage(saver);
  // A read-only page shows the draft of another tab. It deploys the stored version.
  const mustSave = !scene.readOnly && state.kind !== "saved";
  const [side] = useState<WorkflowContent>(() => (mustSave ? saver.draft() : base));
  return (
    <DeployDialog
      {...{ at, side, live, faults, mayDeploy, mustSave, message, onDeployed, onClose }}
      version={base.version + (mustSave ? 1 : 0)}
      onMessage={text => mustSave && saver.setMessage(text)}
      act={async (force, said) => {
        if (mustSave && !(await save())) return undefined;
        return deployWorkflow(at, saver.getBase().version, force, said);
      }}
    />
  );
}

/** The dialogs of the builder. At most one is open. */
export function Dialogs(props: DialogsProps) {
  const { at, scene, saver, dialog, faults, lastRun, save, onStarted, onClose } = props;
  const conflict = useConflict(saver);
  return (
    <Suspense fallback={null}>
      {conflict ? <MergeDialog doc={scene.doc} {...{ at, saver, conflict }} save={() => void save()} /> : null}
      {dialog === "run" ? <RunDialog {...{ at, scene, faults, save, onStarted, onClose }} last={lastRun} /> : null}
      {dialog === "save" ? <SaveDialog saver={saver} save={() => void save()} onClose={onClose} /> : null}
      {dialog === "trial" ? <TrialDialog {...{ at, scene, onClose }} onResult={props.onTried} /> : null}
      {dialog === "deploy" ? <DeployHere {...props} /> : null}
    </Suspense>
  );
}
