import { FlaskConical } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { LastField, LastFieldContext } from "../../editor/last-field.ts";
import { preloadEditor } from "../../editor/use-editor.ts";
import { words } from "../../messages/en-inspector.ts";
import { Button } from "../../ui/button.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useBuilder } from "../builder-context.tsx";
import { useViewOf } from "../canvas/use-view.ts";
import { nameOf, typeOf as nodeTypeOf, useDocumentOf } from "../document/index.ts";
import type { Scene } from "../scene.ts";
import { InspectorHead } from "./head.tsx";
import styles from "./inspector.module.css";
import { SampleBar } from "./sample-bar.tsx";
import type { SampleStore } from "./sample-store.ts";
import { readLeading } from "./scope.ts";
import { SetupTab } from "./setup-tab.tsx";
import { useStepSample } from "./use-step-sample.ts";
import { useTest } from "./use-test.ts";
import { useWidth } from "./use-width.ts";
import { WidthEdge } from "./width-edge.tsx";

// The first tab is shown at once. The others are loaded when they are opened.
const DocsTab = lazy(() => import("./docs-tab.tsx"), "DocsTab");
const OutputTab = lazy(() => import("./output-tab.tsx"), "OutputTab");
const PolicyTab = lazy(() => import("./policy-tab.tsx"), "PolicyTab");
const SampleTree = lazy(() => import("./sample-tree.tsx"), "SampleTree");

type Tab = keyof typeof words.tab;

/** The editor is preloaded this long after a step was selected, when the page has been drawn. */
const PRELOAD_MS = 300;

/** The values that the step can read. They are drawn again when edges change, and not at each key press. */
function Values({ nodeId, samples }: { nodeId: string; samples: SampleStore }) {
  const { doc } = useBuilder();
  const leading = useMemo(() => readLeading(doc, nodeId), [doc, nodeId]);
  const steps = useSyncExternalStore(doc.subscribe, leading);
  return (
    <Suspense fallback={<SkeletonRows rows={4} />}>
      <SampleTree samples={samples} steps={steps} />
    </Suspense>
  );
}

/** A control whose value has a fault. */
const FAULTY = "[aria-invalid], button[data-fault]";

/** The parts that show the name of the step. The content below is not drawn again while the user types the name. */
function Frame({ nodeId, width, children }: { nodeId: string; width: number; children: ReactNode }) {
  const { doc } = useBuilder();
  const name = useDocumentOf(doc, state => nameOf(state, nodeId));
  return (
    <aside className={styles.inspector} style={{ inlineSize: width }} aria-label={words.inspect(name)}>
      <h2 className="visually-hidden">{name}</h2>
      {children}
    </aside>
  );
}

/** The inspector of the selected step: its settings, its policy, its output, and the documentation of its type. */
export function Inspector({ scene, nodeId, onClose }: { scene: Scene; nodeId: string; onClose: () => void }) {
  const { doc, typeOf, readOnly, faults } = useBuilder();
  // Subscribes only to the type, so that typing into a field draws only that field again.
  const info = typeOf(useDocumentOf(doc, ({ nodes }) => nodeTypeOf(nodes.get(nodeId))));
  const [tab, setTab] = useState<Tab>("setup");
  const [showsValues, setShowsValues] = useState(false);
  const fresh = useViewOf(scene, view => view.fresh === nodeId);
  const [lastField] = useState(() => new LastField());
  const width = useWidth();
  const sample = useStepSample(nodeId);
  const { tested, busy, test } = useTest(nodeId, sample);
  const form = useRef<HTMLDivElement>(null);
  /** Tests the step. Shows the result, or else the first field that has to be corrected. */
  const show = async () => {
    scene.set({ fresh: undefined });
    const outcome = await test();
    if (!outcome) return;
    const isWrong = outcome.faults?.some(({ path }) =>
      faults.get(nodeId)?.some(fault => fault.path === `/data${path}`),
    );
    setTab(isWrong ? "setup" : "output");
    if (isWrong) requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(FAULTY)?.focus());
  };
  const tabs = (["setup", "policy", "output", ...(info ? ["docs" as const] : [])] as const).map(value => ({
    value,
    label: words.tab[value],
  }));
  useEffect(() => {
    const timer = setTimeout(preloadEditor, PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <LastFieldContext value={lastField}>
      <Frame nodeId={nodeId} width={width.width}>
        <WidthEdge {...width} />
        <InspectorHead scene={scene} nodeId={nodeId} onClose={onClose} />
        <div className={styles.tabs}>
          <Tabs label={words.tabs} value={tab} onChange={setTab} tabs={tabs}>
            <Suspense fallback={<SkeletonRows rows={4} />}>
              {tab === "setup" ? (
                <div className={styles.setup} data-values={showsValues || undefined}>
                  <SampleBar sample={sample} shown={showsValues} onShow={() => setShowsValues(!showsValues)} />
                  <div ref={form} className={styles.scroll} data-form>
                    <SetupTab nodeId={nodeId} sample={sample} fresh={fresh} />
                  </div>
                  {showsValues ? <Values nodeId={nodeId} samples={sample.samples} /> : null}
                </div>
              ) : tab === "policy" ? (
                <div className={styles.scroll}>
                  <PolicyTab nodeId={nodeId} />
                </div>
              ) : tab === "output" ? (
                <OutputTab nodeId={nodeId} sample={sample} tested={tested} />
              ) : info ? (
                <ScrollRegion as="section" className={styles.scroll} label={words.tab.docs}>
                  <DocsTab info={info} />
                </ScrollRegion>
              ) : null}
            </Suspense>
          </Tabs>
        </div>
        {readOnly ? null : (
          <footer className={styles.foot}>
            <p className={styles.quiet}>{info?.shownInTests ? words.testShown : words.testHint}</p>
            <Button
              icon={<FlaskConical size={14} aria-hidden />}
              data-test-step
              busy={busy}
              onClick={() => void show()}
            >
              {words.test}
            </Button>
          </footer>
        )}
      </Frame>
    </LastFieldContext>
  );
}
