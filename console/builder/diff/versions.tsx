import { useMutation, useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, GitCompareArrows, History, SearchX } from "lucide-react";
import { useMemo, useState } from "react";
import type { WorkflowVersion } from "../../../sdk/definition.ts";
import { deployWorkflow, faultsQuery, restoreVersion } from "../../data/builder.ts";
import { versionQuery, versionsQuery, type WorkflowAddress } from "../../data/builder.ts";
import { nodeTypesQuery } from "../../data/node-types.ts";
import { problemOf, statusOf } from "../../data/problem.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { m } from "../../messages/index.ts";
import { words } from "../../messages/en-builder.ts";
import { useCommands } from "../../shell/shortcuts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import cut from "../../ui/cut.module.css";
import { cx } from "../../ui/cx.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { Canvas } from "../canvas/canvas.tsx";
import { DeployDialog } from "../deploy-dialog.tsx";
import { BuilderDocument, notesOf, readDefinition } from "../document/index.ts";
import { Scene } from "../scene.ts";
import { contentOfVersion } from "../draft.ts";
import { placed } from "../use-check.ts";
import { type Comparison, compare } from "./compare.ts";
import { DifferenceList } from "./difference-list.tsx";
import styles from "./versions.module.css";

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

interface ComparedProps {
  comparison: Comparison;
  workspaceId: string;
  moves: boolean;
  /** The text if there is no difference. Undefined uses the usual one. */
  none: string | undefined;
}

/** Two versions on one canvas, with a list of the differences. The keys J and K move through it. */
function Compared({ comparison, workspaceId, moves, none }: ComparedProps) {
  const { data: types } = useQuery(nodeTypesQuery);
  const [scene] = useState(() => {
    const made = new Scene(new BuilderDocument(comparison.state));
    // The canvas starts at the first difference.
    const first = comparison.differences.find(({ id, mark }) => id !== undefined && mark !== "moved")?.id;
    if (first !== undefined) made.select([first]);
    return made;
  });
  scene.prepare(types, true);
  const [at, setAt] = useState(-1);
  const shown = comparison.differences.filter(({ mark }) => moves || mark !== "moved");
  const go = (index: number) => {
    const next = Math.max(0, Math.min(shown.length - 1, index));
    setAt(next);
    const { id, note } = shown[next] ?? {};
    if (id !== undefined) scene.select([id]);
    else if (note !== undefined) {
      scene.select([]);
      scene.set({ notes: [note] });
      scene.show(notesOf(comparison.state).filter(each => each.id === note));
    }
  };
  useCommands([
    { id: "next-change", title: words.nextChange, keys: "j", run: () => go(at + 1) },
    { id: "previous-change", title: words.previousChange, keys: "k", run: () => go(at - 1) },
  ]);
  return (
    <>
      <div className={styles.canvas}>
        <Canvas
          scene={scene}
          steps={NONE}
          faults={NONE}
          marks={comparison.marks}
          edgeMarks={comparison.edgeMarks}
          workspaceId={workspaceId}
        />
      </div>
      <section className={styles.changes} aria-label={words.changesTitle(shown.length)}>
        <header className={styles.changesHead}>
          <h2>{words.changesTitle(shown.length)}</h2>
          <IconButton label={words.previousChange} size="small" onClick={() => go(at - 1)}>
            <ChevronUp size={16} aria-hidden />
          </IconButton>
          <IconButton label={words.nextChange} size="small" onClick={() => go(at + 1)}>
            <ChevronDown size={16} aria-hidden />
          </IconButton>
        </header>
        <DifferenceList differences={shown} current={at} onPick={go} {...(none && { none })} />
      </section>
    </>
  );
}

interface DeployVersionProps {
  at: WorkflowAddress;
  version: WorkflowVersion;
  live: number | null;
  onClose: () => void;
}

/** Deploys a stored version. */
function DeployVersion({ at, version, live, onClose }: DeployVersionProps) {
  const side = useMemo(() => contentOfVersion(version), [version]);
  const { data } = useQuery(faultsQuery(at, version));
  const faults = useMemo(() => {
    const ids = [...readDefinition(side.definition).nodes.keys()];
    return (data ?? []).map(fault => placed(fault, ids));
  }, [data, side]);
  return (
    <DeployDialog
      {...{ at, side, live, faults, onClose }}
      version={version.version}
      mayDeploy
      mustSave={false}
      act={(force, message) => deployWorkflow(at, version.version, force, message)}
    />
  );
}

interface VersionsProps {
  at: WorkflowAddress;
  live: number | null;
  /** The version that is shown, and the one that it is compared with. */
  shown: number;
  from: number | undefined;
  mayRestore: boolean;
  mayDeploy: boolean;
  onShow: (version: number, from?: number) => void;
  onBack: () => void;
}

/** The versions of a workflow. Users can view each one, compare it with another one, and restore it. */
export function Versions({ at, live, shown, from, mayRestore, mayDeploy, onShow, onBack }: VersionsProps) {
  const versions = useQuery(versionsQuery(at));
  const base = from ?? Math.max(1, shown - 1);
  const newer = useQuery(versionQuery(at, shown));
  const older = useQuery(versionQuery(at, base));
  const [moves, setMoves] = useState(false);
  const comparison = useMemo(
    () => newer.data && older.data && compare(contentOfVersion(older.data), contentOfVersion(newer.data)),
    [newer.data, older.data],
  );
  const restore = useMutation({
    mutationFn: () => restoreVersion(at, shown, words.restoredFrom(shown)),
    onSuccess: onBack,
  });
  const [deploying, setDeploying] = useState(false);
  const names = useMemberNames(at.workspaceId);
  const isGone = newer.error !== null && newer.data === undefined;
  const alone = versions.data?.length === 1 ? words.onlyVersion : words.firstVersion;
  const newest = versions.data?.[0]?.version ?? shown;
  const failed = versions.error ?? newer.error ?? older.error;
  const missing = statusOf(newer.error) === 404 ? shown : statusOf(older.error) === 404 ? base : undefined;
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <h1 className={styles.heading}>
          {base === shown || missing !== undefined ? words.versionTitle(shown) : words.comparing(base, shown)}
        </h1>
        <label className={styles.moves}>
          <input type="checkbox" checked={moves} onChange={event => setMoves(event.target.checked)} /> {words.moved}
        </label>
        <span className={styles.space} />
        <Button onClick={onBack}>{words.back}</Button>
        {shown === newest || isGone ? null : (
          <Button
            tone="primary"
            icon={<History size={14} aria-hidden />}
            busy={restore.isPending}
            aria-disabled={!mayRestore || undefined}
            title={mayRestore ? undefined : m.needsRole(m.role.editor)}
            onClick={() => mayRestore && restore.mutate()}
          >
            {words.restoreAs(newest + 1)}
          </Button>
        )}
        {shown === live || isGone ? null : (
          <Button
            aria-disabled={!mayDeploy || undefined}
            title={mayDeploy ? undefined : words.deployRole}
            onClick={() => mayDeploy && setDeploying(true)}
          >
            {words.deploy(shown)}
          </Button>
        )}
      </header>
      <div className={styles.body}>
        <nav className={styles.versions} aria-label={words.versions}>
          {versions.data ? null : <SkeletonRows rows={4} />}
          {versions.data?.map(({ version, message, createdBy, createdAt }) => (
            <div key={version} className={cx(styles.version, version === shown && styles.current)}>
              <button type="button" className={styles.pick} onClick={() => onShow(version)}>
                <span className={styles.number}>
                  {words.version(version)}
                  {version === live ? <span className={styles.live}>{words.liveMark}</span> : null}
                </span>
                <span className={styles.when}>
                  <Time at={createdAt} />
                </span>
                {message === null ? null : <span className={cx(styles.message, cut.lines)}>{message}</span>}
                {names.has(createdBy) ? <span className={styles.by}>{names.get(createdBy)}</span> : null}
              </button>
              {version === shown ? null : (
                <IconButton
                  size="small"
                  className={styles.compare}
                  label={words.compareWith(shown)}
                  title={words.compareWith(shown)}
                  onClick={() => onShow(Math.max(shown, version), Math.min(shown, version))}
                >
                  <GitCompareArrows size={14} aria-hidden />
                </IconButton>
              )}
            </div>
          ))}
        </nav>
        {missing !== undefined && versions.data ? (
          <Empty
            icon={<SearchX size={20} aria-hidden />}
            title={words.noVersion(missing)}
            action={<Button onClick={() => onShow(newest)}>{words.showNewest(newest)}</Button>}
          >
            {words.noVersionDetail}
          </Empty>
        ) : failed && !comparison ? (
          <Failure
            problem={problemOf(failed)}
            onRetry={() => {
              for (const query of [versions, newer, older]) if (query.error) void query.refetch();
            }}
          />
        ) : comparison ? (
          <Compared
            key={`${base} ${shown}`}
            {...{ comparison, moves, workspaceId: at.workspaceId, none: base === shown ? alone : undefined }}
          />
        ) : (
          <SkeletonRows />
        )}
      </div>
      {deploying && newer.data ? (
        <DeployVersion at={at} version={newer.data} live={live} onClose={() => setDeploying(false)} />
      ) : null}
    </div>
  );
}
