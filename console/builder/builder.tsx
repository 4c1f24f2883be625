import { useQuery } from "@tanstack/react-query";
import { Workflow as WorkflowIcon } from "lucide-react";
import { type ReactNode, Suspense, useCallback, useEffect, useEffectEvent, useMemo, useState } from "react";
import type { StoredWorkflow, WorkflowAddress } from "../data/builder.ts";
import { convertDocument, lastRunQuery, runFromStep } from "../data/builder.ts";
import { nodeTypesQuery } from "../data/node-types.ts";
import { usePresence } from "../data/presence.ts";
import { problemOf } from "../data/problem.ts";
import { words } from "../messages/en-builder.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/states.tsx";
import { toast } from "../ui/toast.tsx";
import { useWhenIdle } from "../ui/use-when-idle.ts";
import { BuilderPrompts } from "./builder-prompts.tsx";
import { BuilderBar } from "./builder-bar.tsx";
import { type Builder as Shared, BuilderContext } from "./builder-context.tsx";
import styles from "./builder.module.css";
import { Canvas } from "./canvas/canvas.tsx";
import { useViewOf } from "./canvas/use-view.ts";
import { Dialogs } from "./dialogs.tsx";
import { type BuilderDocument, createDocument, useDocumentOf } from "./document/index.ts";
import { baseOf, type Draft } from "./draft.ts";
import { SelectionInspector } from "./selection-inspector.tsx";
import { DeployedWarnings, FindBar, loadInspector, Outline, Problems, RunStrip, TrialStrip } from "./later.ts";
import { usePinned } from "./use-pinned.ts";
import { Presence } from "./presence.tsx";
import { Announcer } from "./announcer.tsx";
import { type Dialog, Scene } from "./scene.ts";
import { keepInvalidTexts } from "./invalid-texts.ts";
import { useCheck } from "./use-check.ts";
import { useBuilderCommands } from "./use-commands.ts";
import { useBase, useDraftSaver, useIsDraft } from "./use-draft-saver.ts";
import { useShownRun } from "./use-shown-run.ts";

interface BuilderProps {
  at: WorkflowAddress;
  userId: string;
  stored: StoredWorkflow;
  /** The user's unsaved changes, and the version that they are based on. */
  draft: { draft: Draft; base: StoredWorkflow } | undefined;
  readOnly: boolean;
  /** Shows the outline first. */
  narrow: boolean;
  notice: ReactNode;
  /** What is said of the restored draft, until a version is saved. */
  draftNotice: ReactNode;
  mayRun: boolean;
  mayDeploy: boolean;
  selected: string | undefined;
  /** Opens the run dialog at once, for example after the user chose a template. */
  begins: boolean;
  onSelect: (id: string | undefined) => void;
  /** Receives a function that stores the draft, for another tab that takes over. */
  onKeep: (keep: () => Promise<void>) => void;
  onVersions: () => void;
}

function documentOf(stored: StoredWorkflow, draft: Draft | undefined): BuilderDocument {
  const { name, description, definition } = stored.workflow;
  return draft
    ? createDocument(draft.definition, draft.meta, draft.edits)
    : createDocument(definition, { name, description });
}

/** The builder of one workflow. */
export function Builder(props: BuilderProps) {
  const { at, userId, stored, draft, readOnly, mayRun, mayDeploy, selected, onSelect, onKeep, onVersions } = props;
  const [doc] = useState(() => {
    const made = documentOf(stored, draft?.draft);
    keepInvalidTexts(made, userId, at.id);
    return made;
  });
  const [scene] = useState(() => new Scene(doc, document => convertDocument(at, document)));
  const { data: nodeTypes } = useQuery(nodeTypesQuery);
  scene.prepare(nodeTypes, readOnly);
  const saver = useDraftSaver(doc, baseOf(draft?.base ?? stored), at, userId, draft?.draft.message);
  const isDraft = useIsDraft(saver);
  const isFirstBase = useBase(saver).version === (draft?.base ?? stored).workflow.version;
  const [live, setLive] = useState(stored.workflow.deployedVersion);
  useEffect(() => onKeep(() => saver.handOver()), [onKeep, saver]);
  // Remembered here, because the address loses it with the first selection.
  const [begins] = useState(props.begins && mayRun);
  const [dialog, setDialog] = useState<Dialog | undefined>(begins ? "run" : undefined);
  const outline = useViewOf(scene, view => view.outline) ?? props.narrow;
  const last = useViewOf(scene, view => view.nodes.at(-1));
  // Reads as little as possible. Everything below is drawn again when one of these changes, and typing must not cause
  // that.
  const isEmpty = useDocumentOf(doc, ({ nodes }) => nodes.size === 0);
  const { found, faults, faultsByNode, warningsByNode } = useCheck(doc, at);
  const pinned = usePinned(at);
  const { data: lastRun } = useQuery(lastRunQuery(at));
  const { runId, setRunId, tried, setTried, shown } = useShownRun(doc, at, last);
  const executionId = runId ?? lastRun?.id;

  // The address names the selected step. When the address changes, so does the selection.
  const begin = useEffectEvent(() => {
    if (selected !== undefined && doc.getState().nodes.has(selected)) scene.select([selected]);
  });
  // Only when the page opens. From then on the selection changes the address.
  useEffect(() => begin(), []);
  useWhenIdle(true, loadInspector);
  // After an attempt to run or deploy, the form of a new step shows all faults, too.
  useEffect(() => {
    if (dialog) scene.set({ fresh: undefined });
  }, [scene, dialog]);
  useEffect(() => onSelect(last), [last, onSelect]);
  const present = usePresence(at, userId, { editing: !readOnly && isDraft, nodeId: last });

  // A read-only page saves nothing: its draft may be older than that of the tab that edits.
  const save = useCallback(() => (readOnly ? Promise.resolve(true) : saver.save()), [saver, readOnly]);
  const runFrom = useCallback(
    async (nodeId: string) => {
      if (executionId === undefined || !(await save())) return;
      try {
        setRunId((await runFromStep(at, executionId, nodeId)).id);
      } catch (error) {
        toast.problem(problemOf(error));
      }
    },
    [at, executionId, save, setRunId],
  );
  const deployFirst = live === null && mayDeploy ? () => setDialog("deploy") : undefined;
  const canRunFrom = mayRun && !readOnly && executionId !== undefined;
  const mayRunFrom = useMemo(() => (canRunFrom ? (id: string) => void runFrom(id) : undefined), [canRunFrom, runFrom]);
  useBuilderCommands(scene, { save: () => void save(), open: setDialog, mayRun, isDraft, runFrom: mayRunFrom });
  const shared = useMemo<Shared>(
    () => ({
      doc,
      workspaceId: at.workspaceId,
      spaceId: at.spaceId,
      workflowId: at.id,
      nodeTypes,
      typeOf: scene.typeOf,
      readOnly,
      faults: faultsByNode,
      executionId,
      select: id => scene.select(id === undefined ? [] : [id]),
      runFrom: mayRunFrom,
    }),
    [doc, scene, at, nodeTypes, readOnly, faultsByNode, executionId, mayRunFrom],
  );

  return (
    <BuilderContext value={shared}>
      <div className={styles.builder}>
        <BuilderBar
          {...{ scene, saver, outline, mayRun, mayDeploy }}
          liveVersion={live}
          faults={faults.length}
          pulsing={begins && lastRun === null && runId === undefined && dialog === undefined}
          onSave={() => void save()}
          onSaveWith={() => setDialog("save")}
          presence={<Presence present={present} doc={doc} />}
          onDeploy={() => setDialog("deploy")}
          onRun={() => setDialog("run")}
          onProblems={() => setDialog(dialog === "problems" ? undefined : "problems")}
          onOutline={() => scene.set({ outline: !outline })}
          onVersions={onVersions}
          onFind={() => setDialog("find")}
          onTrial={() => setDialog("trial")}
        />
        {props.notice}
        {isFirstBase ? props.draftNotice : null}
        {live !== null ? (
          <Suspense fallback={null}>
            <DeployedWarnings live={live} workflow={stored.workflow} />
          </Suspense>
        ) : null}
        <div className={styles.body}>
          <div className={styles.stage}>
            {outline ? (
              <Suspense fallback={null}>
                <Outline scene={scene} steps={shown.steps} faults={faultsByNode} workspaceId={at.workspaceId} />
              </Suspense>
            ) : (
              <Canvas
                scene={scene}
                steps={shown.steps}
                faults={faultsByNode}
                warnings={warningsByNode}
                pinned={pinned}
                workspaceId={at.workspaceId}
                onRunFrom={mayRunFrom}
              />
            )}
            {isEmpty ? (
              <div className={styles.empty}>
                <Empty
                  icon={<WorkflowIcon size={20} aria-hidden />}
                  title={words.emptyTitle}
                  action={
                    readOnly ? undefined : (
                      <Button tone="primary" onClick={() => scene.set({ prompt: { kind: "add", where: {} } })}>
                        {words.addFirst}
                      </Button>
                    )
                  }
                >
                  {words.emptyText}
                </Empty>
              </div>
            ) : null}
            <Suspense fallback={null}>
              {tried ? (
                <TrialStrip tried={tried} onOpen={() => setDialog("trial")} onClose={() => setTried(undefined)} />
              ) : null}
              {runId !== undefined && shown.run ? (
                <RunStrip
                  scene={scene}
                  run={shown.run}
                  pass={shown.pass}
                  onGo={shown.go}
                  onDeploy={deployFirst}
                  onClose={() => setRunId(undefined)}
                />
              ) : null}
            </Suspense>
            <Suspense fallback={null}>
              {dialog === "find" ? <FindBar scene={scene} onClose={() => setDialog(undefined)} /> : null}
              {dialog === "problems" ? (
                <Problems scene={scene} faults={found} onClose={() => setDialog(undefined)} />
              ) : null}
            </Suspense>
          </div>
          <SelectionInspector scene={scene} />
        </div>
        <Announcer scene={scene} />
        <BuilderPrompts scene={scene} />
        <Dialogs
          {...{ at, scene, saver, dialog, live, faults, mayDeploy, save }}
          lastRun={lastRun ?? undefined}
          onStarted={setRunId}
          onTried={setTried}
          onDeployed={next => {
            setLive(next.workflow.deployedVersion);
            saver.retag(next.etag);
          }}
          onClose={() => setDialog(undefined)}
        />
      </div>
    </BuilderContext>
  );
}
