import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { LayoutTemplate } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { needsOf, type Template } from "../../data/templates.ts";
import { problemOf } from "../../data/problem.ts";
import { exampleOf, templatesQuery } from "../../data/workflows.ts";
import { words } from "../../messages/en-templates.ts";
import { graphOf } from "../../run/graph/definition.ts";
import { lookOf, StepIcon } from "../../run/graph/step-look.tsx";
import { useAddCrumbs } from "../../shell/crumbs.ts";
import { RoleButton } from "../../shell/role-button.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/button.tsx";
import { InlineMarkdown } from "../../ui/markdown.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { Skeleton, SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import styles from "../templates/templates.module.css";
import { useOpenTemplate } from "../templates/use-template.ts";

const RunGraph = lazy(() => import("../../run/graph/run-graph.tsx"));
const NOT_RUN = new Map<never, never>();

function Preview({ template }: { template: Template }) {
  const { s } = useSearch({ from: "/authed/w/$w/templates/$id" });
  const { open, opening } = useOpenTemplate(s);
  const [selected, setSelected] = useState<string>();
  const graph = useMemo(() => graphOf(template.definition), [template]);
  const needs = needsOf(graph.steps.map(({ type }) => type));
  const example = exampleOf(template);
  return (
    <Page
      title={template.name}
      lead={words.steps(graph.steps.length)}
      actions={
        <RoleButton least="editor" tone="primary" busy={opening !== undefined} onClick={() => open(template)}>
          {words.use}
        </RoleButton>
      }
    >
      <div className={styles.graph} role="group" aria-label={words.graph(template.name)}>
        <Suspense fallback={<Skeleton width={180} />}>
          <RunGraph graph={graph} steps={NOT_RUN} selected={selected} onSelect={setSelected} />
        </Suspense>
      </div>
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

/** One template before it is used: its graph, its steps, its input and what it needs. */
export function TemplatePage() {
  const { id } = useParams({ from: "/authed/w/$w/templates/$id" });
  const { slug: w } = useWorkspace();
  const { data, error, refetch } = useQuery(templatesQuery);
  const template = data?.find(one => one.id === id);
  const crumb = { title: words.title, href: `/w/${w}/templates` };
  useAddCrumbs(template ? [crumb, { title: template.name }] : [crumb]);
  if (template) return <Preview key={id} template={template} />;
  return (
    <Page title={words.title}>
      <Card flush>
        {data ? (
          <Empty
            icon={<LayoutTemplate size={20} aria-hidden />}
            title={words.missing}
            action={
              <Link to="/w/$w/templates" params={{ w }} className={buttonClass({})}>
                {words.toAll}
              </Link>
            }
          >
            {words.missingDetail}
          </Empty>
        ) : error ? (
          <Failure problem={problemOf(error)} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={8} />
        )}
      </Card>
    </Page>
  );
}
