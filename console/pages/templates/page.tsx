import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { LayoutTemplate, Search } from "lucide-react";
import { useRef } from "react";
import { needsOf, summaryOf, type Template } from "../../data/templates.ts";
import { problemOf } from "../../data/problem.ts";
import { templatesQuery } from "../../data/workflows.ts";
import { words } from "../../messages/en-templates.ts";
import { m } from "../../messages/index.ts";
import { graphOf } from "../../run/graph/definition.ts";
import { RoleButton } from "../../shell/role-button.tsx";
import { useCommands } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { MiniGraph } from "./mini-graph.tsx";
import type { TemplatesSearch } from "./search.ts";
import styles from "./templates.module.css";
import { useOpenTemplate } from "./use-template.ts";

const needsIn = ({ definition }: Template) => needsOf(graphOf(definition).steps.map(({ type }) => type));
const titleOf = (category: string) => category.charAt(0).toUpperCase() + category.slice(1).replaceAll("-", " ");

const matches = (template: Template, { q = "", c, needs }: TemplatesSearch) => {
  const { name, description, tags, category } = template;
  const text = [name, description, category, ...tags].join(" ").toLowerCase();
  const says = q
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
  return says && (c === undefined || category === c) && (needs === undefined || needsIn(template).length === 0);
};

function TemplateCard({ template, onUse, busy }: { template: Template; onUse: () => void; busy: boolean }) {
  const { slug: w } = useWorkspace();
  const { s } = useSearch({ from: "/authed/w/$w/templates" });
  const needs = needsIn(template);
  return (
    <li className={styles.card}>
      <div>
        <div className={styles.picture}>
          <MiniGraph definition={template.definition} />
        </div>
        <h2 className={styles.name}>
          <Link to="/w/$w/templates/$id" params={{ w, id: template.id }} search={{ s }}>
            {template.name}
          </Link>
        </h2>
      </div>
      <p className={styles.text}>{summaryOf(template)}</p>
      <div className={styles.foot}>
        <span className={styles.needs}>
          {needs.length === 0
            ? words.needsNothing
            : words.needsList(needs.map(need => words.needsShort[need]).join(", "))}
        </span>
        <RoleButton least="editor" size="small" busy={busy} onClick={onUse}>
          {words.use}
        </RoleButton>
      </div>
    </li>
  );
}

/** Every template of the installation, by category, with its graph. */
export function TemplatesPage() {
  const given = useSearch({ from: "/authed/w/$w/templates" });
  const navigate = useNavigate({ from: "/w/$w/templates" });
  const { data, error, refetch } = useQuery(templatesQuery);
  const { open, opening } = useOpenTemplate(given.s);
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ id: "filter", title: m.shortcut.filter, keys: "/", run: () => field.current?.focus() }]);
  const search = (change: TemplatesSearch) =>
    void navigate({ search: before => ({ ...before, ...change }), replace: true, resetScroll: false });
  const categories = [...new Set(data?.map(({ category }) => category))].toSorted();
  const shown = data?.filter(template => matches(template, given)) ?? [];
  const content = () => {
    if (!data) {
      return (
        <Card flush>
          {error ? <Failure problem={problemOf(error)} onRetry={() => void refetch()} /> : <SkeletonRows rows={6} />}
        </Card>
      );
    }
    if (data.length === 0) {
      return (
        <Card>
          <Empty icon={<LayoutTemplate size={20} aria-hidden />} title={words.empty}>
            {words.emptyDetail}
          </Empty>
        </Card>
      );
    }
    if (shown.length === 0) {
      const clear = () => search({ q: undefined, c: undefined, needs: undefined });
      return (
        <Card>
          <Empty
            icon={<Search size={20} aria-hidden />}
            title={words.noMatch}
            action={<Button onClick={clear}>{words.clear}</Button>}
          />
        </Card>
      );
    }
    return (
      <ul className={styles.cards}>
        {shown.map(template => (
          <TemplateCard
            key={template.id}
            template={template}
            busy={opening === template.id}
            onUse={() => open(template)}
          />
        ))}
      </ul>
    );
  };
  return (
    <Page title={words.title} lead={words.lead}>
      <div className={styles.filters} role="group" aria-label={words.categories}>
        <SearchField
          ref={field}
          className={styles.search}
          icon={<Search size={14} aria-hidden />}
          label={words.search}
          value={given.q ?? ""}
          onChange={next => search({ q: next || undefined })}
        />
        <div className={styles.chips}>
          <Chip on={given.needs === "nothing"} onToggle={() => search({ needs: given.needs ? undefined : "nothing" })}>
            {words.needsNothing}
          </Chip>
          {categories.map(category => (
            <Chip
              key={category}
              on={given.c === category}
              onToggle={() => search({ c: given.c === category ? undefined : category })}
            >
              {titleOf(category)}
            </Chip>
          ))}
        </div>
      </div>
      {content()}
    </Page>
  );
}
