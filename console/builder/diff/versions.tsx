import { useMutation, useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, History } from "lucide-react";
import { useMemo, useState } from "react";
import { restoreVersion, versionQuery, versionsQuery, type WorkflowAddress } from "../../data/builder.ts";
import { nodeTypesQuery } from "../../data/node-types.ts";
import { problemOf } from "../../data/problem.ts";
import { m } from "../../messages/index.ts";
import { words } from "../../messages/en-builder.ts";
import { useCommands } from "../../shell/shortcuts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { Canvas } from "../canvas/canvas.tsx";
import { BuilderDocument } from "../document/index.ts";
import { Scene } from "../scene.ts";
import { type Comparison, compare, type Difference } from "./compare.ts";
import styles from "./versions.module.css";

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

function DifferenceRow({
  difference,
  current,
  onClick,
}: {
  difference: Difference;
  current: boolean;
  onClick: () => void;
}) {
  const { mark, title, fields, id } = difference;
  return (
    <li>
      <button type="button" className={cx(styles.difference, current && styles.current)} onClick={onClick}>
        <span className={styles.mark} data-mark={mark}>
          {words.changes[mark]}
        </span>
        <span className={styles.title}>{title || (id === undefined ? words.settingsChanged : id)}</span>
      </button>
      {fields.length > 0 ? (
        <dl className={styles.fields}>
          {fields.slice(0, 20).map(({ name, from, to }) => (
            <div key={name}>
              <dt>{name}</dt>
              {from === undefined ? null : <dd className={styles.from}>{textOf(from)}</dd>}
              {to === undefined ? null : <dd className={styles.to}>{textOf(to)}</dd>}
            </div>
          ))}
        </dl>
      ) : null}
    </li>
  );
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 1));

/** Two versions on one canvas, with a list of what differs that J and K walk. */
function Compared({ comparison, workspaceId, moves }: { comparison: Comparison; workspaceId: string; moves: boolean }) {
  const { data: types } = useQuery(nodeTypesQuery);
  const [scene] = useState(() => {
    const made = new Scene(new BuilderDocument(comparison.state));
    // The canvas begins at what it is opened for.
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
    const id = shown[next]?.id;
    if (id !== undefined) scene.select([id]);
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
        {shown.length === 0 ? <p className={styles.none}>{words.noChanges}</p> : null}
        <ul className={styles.list}>
          {shown.map((difference, n) => (
            <DifferenceRow
              key={`${difference.mark} ${difference.title} ${n}`}
              difference={difference}
              current={n === at}
              onClick={() => go(n)}
            />
          ))}
        </ul>
      </section>
    </>
  );
}

interface VersionsProps {
  at: WorkflowAddress;
  live: number | null;
  /** The version in sight and the one that it is compared with. */
  shown: number;
  from: number | undefined;
  mayRestore: boolean;
  onShow: (version: number, from?: number) => void;
  onBack: () => void;
}

/** The versions of a workflow: each can be looked at, compared with another one, and restored. */
export function Versions({ at, live, shown, from, mayRestore, onShow, onBack }: VersionsProps) {
  const versions = useQuery(versionsQuery(at));
  const base = from ?? Math.max(1, shown - 1);
  const newer = useQuery(versionQuery(at, shown));
  const older = useQuery(versionQuery(at, base));
  const [moves, setMoves] = useState(false);
  const comparison = useMemo(
    () => newer.data && older.data && compare(older.data.definition, newer.data.definition),
    [newer.data, older.data],
  );
  const restore = useMutation({ mutationFn: () => restoreVersion(at, shown), onSuccess: onBack });
  const newest = versions.data?.[0]?.version ?? shown;
  const failed = versions.error ?? newer.error ?? older.error;
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <h1 className={styles.heading}>{base === shown ? words.versionTitle(shown) : words.comparing(base, shown)}</h1>
        <label className={styles.moves}>
          <input type="checkbox" checked={moves} onChange={event => setMoves(event.target.checked)} /> {words.moved}
        </label>
        <span className={styles.space} />
        <Button onClick={onBack}>{words.back}</Button>
        {shown === newest ? null : (
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
      </header>
      <div className={styles.body}>
        <nav className={styles.versions} aria-label={words.versions}>
          {versions.data ? null : <SkeletonRows rows={4} />}
          {versions.data?.map(({ version, name, createdAt }) => (
            <div key={version} className={cx(styles.version, version === shown && styles.current)}>
              <button type="button" className={styles.pick} onClick={() => onShow(version)}>
                <span className={styles.number}>
                  {words.version(version)}
                  {version === live ? <span className={styles.live}>{words.liveMark}</span> : null}
                </span>
                <span className={styles.when}>
                  <Time at={createdAt} />
                </span>
                <span className={styles.name}>{name}</span>
              </button>
              {version === shown ? null : (
                <Button
                  size="small"
                  tone="quiet"
                  className={styles.compare}
                  onClick={() => onShow(Math.max(shown, version), Math.min(shown, version))}
                >
                  {words.compareWith(shown)}
                </Button>
              )}
            </div>
          ))}
        </nav>
        {failed && !comparison ? (
          <Failure problem={problemOf(failed)} onRetry={() => void versions.refetch()} />
        ) : comparison ? (
          <Compared key={`${base} ${shown}`} comparison={comparison} workspaceId={at.workspaceId} moves={moves} />
        ) : (
          <SkeletonRows />
        )}
      </div>
    </div>
  );
}
