import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo, useRef, useState } from "react";
import { problemOf } from "../data/problem.ts";
import { useRunEvents } from "../data/run-events.ts";
import { definitionQuery, runQuery } from "../data/run.ts";
import type { RunAddress, Step, StepPath } from "../data/run-types.ts";
import { find } from "../messages/en-find.ts";
import { runTexts } from "../messages/en-run.ts";
import { useCommands } from "../shell/shortcuts.ts";
import { cx } from "../ui/cx.ts";
import { HiddenTitle } from "../ui/page.tsx";
import { Skeleton, SkeletonRows } from "../ui/skeleton.tsx";
import { Failure } from "../ui/states.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { useMedia } from "../ui/use-media.ts";
import { useWhenIdle } from "../ui/use-when-idle.ts";
import { graphOf, type GraphStep } from "./graph/definition.ts";
import { ItemPicker } from "./item-picker.tsx";
import { FindInRun, Inspector, loadInspector, MissingRun, RunData, RunGraph, RunLog, Timeline } from "./later.ts";
import { RunHead } from "./run-head.tsx";
import styles from "./run-view.module.css";
import { RUN_VIEWS, type RunSearch } from "./search.ts";
import { isPass } from "./passes.ts";
import { useStreamedTexts } from "./streamed-texts.ts";
import { pathFromText, pathText, stepKey } from "./step-state.ts";
import { StepTree } from "./step-tree.tsx";
import { useShownSteps } from "./use-shown-steps.ts";
import { useTree } from "./use-tree.ts";

interface RunViewProps {
  at: RunAddress;
  search: RunSearch;
  onSearch: (search: RunSearch) => void;
  /** Opens another run, such as a retry. */
  onOpenRun: (id: string) => void;
  onCompare: (id: string) => void;
  canEdit: boolean;
}

/** Matches the style sheet. Below this width, the steps, the view and the values are not shown side by side. */
const NARROW = "(max-width: 1023px)";

const FINAL: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

/** Returns the selected step if it is inside the item or round at the end of the path. */
const insideOf = (graph: { steps: GraphStep[] }, path: StepPath, selected: string | undefined) =>
  graph.steps.find(({ id, parentId }) => id === selected && parentId === path.at(-1)?.nodeId)?.id;

/** The page while the run is loading. */
function RunSkeleton() {
  return (
    <div className={styles.page} role="status">
      <header className={styles.loadingHead}>
        <HiddenTitle>{runTexts.run.title}</HiddenTitle>
        <Skeleton width={220} />
        <Skeleton width={380} />
      </header>
      <div className={styles.body}>
        <section className={styles.tree}>
          <SkeletonRows rows={5} />
        </section>
        <section className={styles.middle} />
      </div>
    </div>
  );
}

/** The page of a run: its graph, timeline and log, and the values of a step. */
export function RunView({ at, search, onSearch, onOpenRun, onCompare, canEdit }: RunViewProps) {
  const { data: run, error, refetch } = useQuery(runQuery(at));
  const tree = useTree(at);
  const isOver = run !== undefined && FINAL.has(run.status);
  const words = useStreamedTexts();
  useRunEvents(at, run !== undefined && !isOver, words.hear);
  const version = useQuery({
    ...definitionQuery(at, run?.workflowId ?? "", run?.workflowVersion ?? 0),
    enabled: run !== undefined,
  });
  const graph = useMemo(() => graphOf(version.data?.definition), [version.data]);
  const path = useMemo(() => pathFromText(search.p), [search.p]);
  const { shown, item } = useShownSteps(at, tree.root?.steps, graph, path, search.n);
  const names = useMemo(() => new Map(graph.steps.map(({ id, name }) => [id, name])), [graph]);
  const narrow = useMedia(NARROW);
  const views = narrow ? RUN_VIEWS : RUN_VIEWS.filter(name => name !== "steps");
  const first = narrow ? "steps" : "graph";
  const view = views.find(name => name === search.view) ?? first;
  const key = search.n === undefined ? undefined : stepKey(search.n, path);
  const itemKey = search.n === undefined && path.length > 0 ? stepKey("", path) : undefined;
  const row = tree.rows.find(one => one.kind === "step" && one.key === (key ?? itemKey));
  const selected = row?.kind === "step" ? row.step : search.n === undefined ? undefined : shown.get(search.n);
  const [finding, setFinding] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  useWhenIdle(version.data !== undefined, loadInspector);
  // While the search is open, the same keys open the browser's own search.
  useCommands(finding ? [] : [{ id: "find-in-run", title: find.title, keys: "mod f", run: () => setFinding(true) }]);
  const select = (nodeId: string | undefined, itemsAround: StepPath) =>
    onSearch({
      ...{ view: search.view, z: search.z, level: search.level, q: search.q, of: search.of, item: search.item },
      n: nodeId,
      p: nodeId === undefined && itemsAround.length === 0 ? undefined : pathText(itemsAround),
    });
  /** Closes the values of a step. The steps take the focus, or on a narrow screen the view that comes back. */
  const close = () => {
    select(undefined, []);
    requestAnimationFrame(() => {
      body.current?.querySelector<HTMLElement>("[role=tree], [role=application]")?.focus({ preventScroll: true });
    });
  };
  const selectStep = (step: Step) => select(isPass(step) ? undefined : step.nodeId, step.path ?? []);

  const asked = run?.suspensions?.find(
    one => selected && one.nodeId === selected.nodeId && pathText(one.path) === pathText(selected.path),
  );
  const steps =
    tree.error && !tree.root ? (
      <Failure problem={problemOf(tree.error)} onRetry={tree.retry} small />
    ) : (
      <StepTree tree={tree} selected={key ?? itemKey} onSelect={selectStep} />
    );

  if (error && !run) {
    return (
      <>
        <HiddenTitle>{runTexts.run.title}</HiddenTitle>
        <Failure problem={problemOf(error)} onRetry={() => void refetch()} />
        {problemOf(error).status === 404 ? (
          <Suspense fallback={null}>
            <MissingRun id={at.id} />
          </Suspense>
        ) : null}
      </>
    );
  }
  if (!run) return <RunSkeleton />;
  return (
    <div className={styles.page}>
      <RunHead
        at={at}
        run={run}
        name={version.data?.name}
        canEdit={canEdit}
        stepNames={names}
        undoable={graph.steps.some(({ undoable, disabled }) => undoable && !disabled)}
        onOpenRun={onOpenRun}
        onCompare={onCompare}
        selected={selected}
        steps={tree.root?.steps}
        onAnswer={question => select(question.nodeId, question.path ?? [])}
      />
      {finding ? (
        <Suspense fallback={null}>
          <FindInRun
            at={at}
            steps={graph.steps}
            onClose={() => setFinding(false)}
            onOpen={place => {
              setFinding(false);
              onSearch({ view: search.view, ...place });
            }}
          />
        </Suspense>
      ) : null}
      <div ref={body} className={cx(styles.body, selected && styles.withInspector)}>
        {narrow ? null : (
          <section className={styles.tree} aria-label={runTexts.run.steps}>
            {steps}
          </section>
        )}
        <section className={styles.middle}>
          <Tabs
            label={runTexts.run.views}
            value={view}
            onChange={next => onSearch({ ...search, view: next === first ? undefined : next })}
            tabs={views.map(value => ({ value, label: runTexts.run.view[value] }))}
          >
            <div className={styles.view}>
              <Suspense fallback={<SkeletonRows rows={4} />}>
                {view === "steps" ? (
                  steps
                ) : view === "graph" ? (
                  version.error ? (
                    <Failure problem={problemOf(version.error)} onRetry={() => void version.refetch()} small />
                  ) : version.data ? (
                    <RunGraph
                      graph={graph}
                      steps={shown}
                      selected={search.n}
                      onSelect={id => select(id, id === undefined ? [] : (shown.get(id)?.path ?? []))}
                    >
                      {item ? (
                        <ItemPicker at={at} {...item} onGo={to => select(insideOf(graph, to, search.n), to)} />
                      ) : null}
                    </RunGraph>
                  ) : (
                    <SkeletonRows rows={4} />
                  )
                ) : view === "timeline" ? (
                  <Timeline
                    run={run}
                    tree={tree}
                    edges={graph.edges}
                    selected={key ?? itemKey}
                    onSelect={selectStep}
                    zoom={search.z}
                    onZoom={z => onSearch({ ...search, z })}
                  />
                ) : view === "data" ? (
                  <RunData
                    run={run}
                    tab={search.tab}
                    pointer={search.at}
                    onTab={tab => onSearch({ ...search, tab, at: undefined })}
                  />
                ) : (
                  <RunLog
                    {...{ at, names, search }}
                    live={!isOver}
                    onSearch={change => onSearch({ ...search, ...change })}
                    onSelect={select}
                  />
                )}
              </Suspense>
            </div>
          </Tabs>
        </section>
        {selected ? (
          <section className={styles.side}>
            <Suspense fallback={<SkeletonRows rows={6} />}>
              <Inspector
                key={stepKey(selected.nodeId, selected.path)}
                at={at}
                tab={search.tab}
                pointer={search.at}
                workflowId={canEdit ? run.workflowId : undefined}
                onTab={tab => onSearch({ ...search, tab, at: undefined })}
                step={selected}
                setup={isPass(selected) ? undefined : graph.steps.find(({ id }) => id === selected.nodeId)}
                asked={asked}
                words={words}
                onClose={close}
              />
            </Suspense>
          </section>
        ) : null}
      </div>
    </div>
  );
}
