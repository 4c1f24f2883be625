import { type ReactNode, Suspense, useMemo, useState } from "react";
import { needsOf, type Template } from "../../data/templates.ts";
import { exampleOf } from "../../data/workflows.ts";
import { words } from "../../messages/en-templates.ts";
import { graphOf } from "../../run/graph/definition.ts";
import { lookOf, StepIcon } from "../../run/graph/step-look.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { InlineMarkdown } from "../../ui/markdown.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { MiniGraph } from "../templates/mini-graph.tsx";
import styles from "../templates/templates.module.css";

const RunGraph = lazy(() => import("../../run/graph/run-graph.tsx"));
/** The steps are also listed beside the graph, so its shape matters more than readable names. */
const WHOLE_FROM = 0.4;
const NOT_RUN = new Map<never, never>();

/**
 * A preview of a template: its graph, its steps, its input and what it needs. A phone shows only the shape
 * of the graph, because a canvas would take the touches that scroll the page.
 */
export function Preview({ template, action }: { template: Template; action: ReactNode }) {
  const [selected, setSelected] = useState<string>();
  const graph = useMemo(() => graphOf(template.definition), [template]);
  const needs = needsOf(graph.steps.map(({ type }) => type));
  const example = exampleOf(template);
  const isNarrow = useMedia("(max-width: 719px)");
  return (
    <Page title={template.name} lead={words.steps(graph.steps.length)} actions={action}>
      {isNarrow ? (
        <div className={styles.shape}>
          <MiniGraph definition={template.definition} />
        </div>
      ) : (
        <div className={styles.graph} role="group" aria-label={words.graph(template.name)}>
          <Suspense fallback={<Skeleton width={180} />}>
            <RunGraph graph={graph} steps={NOT_RUN} selected={selected} onSelect={setSelected} wholeFrom={WHOLE_FROM} />
          </Suspense>
        </div>
      )}
      <div className={styles.columns}>
        <div className={styles.side}>
          <Card title={words.about}>
            <p>
              <InlineMarkdown text={template.description} />
            </p>
          </Card>
          <Card title={words.setUp}>
            {needs.length === 0 ? (
              <p>{words.nothing}</p>
            ) : (
              <ul className={styles.needList}>
                {needs.map(need => (
                  <li key={need}>
                    <InlineMarkdown text={words.needs[need]} />
                  </li>
                ))}
              </ul>
            )}
          </Card>
          <Card title={words.example}>
            {example === undefined ? (
              <p>{words.noExample}</p>
            ) : (
              <ScrollRegion as="pre" className={styles.example} label={words.example}>
                {JSON.stringify(example, null, 2)}
              </ScrollRegion>
            )}
          </Card>
        </div>
        <Card title={words.stepList}>
          <ol className={styles.stepList}>
            {graph.steps.map(({ id, type, name }) => (
              <li key={id}>
                <StepIcon type={type} />
                <span>
                  {name} <span className={styles.kind}>{lookOf(type).title}</span>
                </span>
              </li>
            ))}
          </ol>
        </Card>
      </div>
    </Page>
  );
}
