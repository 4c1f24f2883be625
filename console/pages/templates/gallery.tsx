import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { LayoutTemplate, Search } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { needsOf, summaryOf, type Template } from "../../data/templates.ts";
import { problemOf } from "../../data/problem.ts";
import { templatesQuery } from "../../data/workflows.ts";
import { words } from "../../messages/en-templates.ts";
import { m } from "../../messages/index.ts";
import { graphOf } from "../../run/graph/definition.ts";
import { useCommands } from "../../shell/shortcuts.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { cx } from "../../ui/cx.ts";
import cut from "../../ui/cut.module.css";
import { Card } from "../../ui/page.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton, useDelay } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { MiniGraph } from "./mini-graph.tsx";
import type { TemplatesSearch } from "./search.ts";
import styles from "./templates.module.css";

const ANY = "";
/** A screen of cards. */
const PLACEHOLDERS = 6;
const needsIn = ({ definition }: Template) => needsOf(graphOf(definition).steps.map(({ type }) => type));
const titleOf = (category: string) => category.charAt(0).toUpperCase() + category.slice(1).replaceAll("-", " ");
const sorted = (names: Iterable<string>) => [...new Set(names)].toSorted();

const matches = (template: Template, { q = "", c, t, needs }: TemplatesSearch) => {
  const { name, description, tags, category } = template;
  const text = [name, description, category, ...tags].join(" ").toLowerCase();
  const says = q
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
  const isIn = (c === undefined || category === c) && (t === undefined || tags.includes(t));
  return says && isIn && (needs === undefined || needsIn(template).length === 0);
};

interface CardProps {
  template: Template;
  w: string;
  s: string | undefined;
  action: ReactNode;
}

function TemplateCard({ template, w, s, action }: CardProps) {
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
      <p className={cx(styles.text, cut.lines)}>{summaryOf(template)}</p>
      <div className={styles.foot}>
        <span className={styles.needs}>
          {needs.length === 0
            ? words.needsNothing
            : words.needsList(needs.map(need => words.needsShort[need]).join(", "))}
        </span>
        {action}
      </div>
    </li>
  );
}

/** Placeholder cards while the templates load. */
function SkeletonCards() {
  const shown = useDelay();
  return (
    <div className={styles.cards} role="status">
      <span className="visually-hidden">{m.loading}</span>
      {Array.from({ length: shown ? PLACEHOLDERS : 0 }, (_, n) => (
        <div key={n} className={cx(styles.card, styles.placeholder)}>
          <div className={styles.picture} />
          <Skeleton width={160} />
          <Skeleton width={240} />
        </div>
      ))}
    </div>
  );
}

interface GalleryProps {
  w: string;
  given: TemplatesSearch;
  onSearch: (change: TemplatesSearch) => void;
  actionOf: (template: Template) => ReactNode;
}

/** Templates as cards. The filters have their size before the templates are known. It needs no workspace, because people can view templates without one. */
export function Gallery({ w, given, onSearch, actionOf }: GalleryProps) {
  const { data, error, refetch } = useQuery(templatesQuery);
  const field = useRef<HTMLInputElement>(null);
  useCommands([{ id: "filter", title: m.shortcut.filter, keys: "/", run: () => field.current?.focus() }]);
  const categories = sorted((data ?? []).map(({ category }) => category));
  const tags = sorted((data ?? []).flatMap(template => template.tags));
  const shown = data?.filter(template => matches(template, given)) ?? [];
  const content = () => {
    if (!data) {
      return error ? (
        <Card flush>
          <Failure problem={problemOf(error)} onRetry={() => void refetch()} />
        </Card>
      ) : (
        <SkeletonCards />
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
      const clear = () => onSearch({ q: undefined, c: undefined, t: undefined, needs: undefined });
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
      <ul className={styles.cards} data-rows>
        {shown.map(template => (
          <TemplateCard key={template.id} template={template} w={w} s={given.s} action={actionOf(template)} />
        ))}
      </ul>
    );
  };
  return (
    <>
      <div className={styles.filters} role="group" aria-label={words.filters}>
        <SearchField
          ref={field}
          className={styles.search}
          icon={<Search size={14} aria-hidden />}
          label={words.search}
          value={given.q ?? ""}
          onChange={next => onSearch({ q: next || undefined })}
        />
        <Select
          hideLabel
          label={words.category}
          className={styles.choice}
          value={given.c ?? ANY}
          options={[
            { value: ANY, label: words.anyCategory },
            ...categories.map(value => ({ value, label: titleOf(value) })),
          ]}
          onChange={next => onSearch({ c: next || undefined })}
        />
        <Select
          hideLabel
          label={words.tag}
          className={styles.choice}
          value={given.t ?? ANY}
          options={[{ value: ANY, label: words.anyTag }, ...tags.map(value => ({ value, label: value }))]}
          onChange={next => onSearch({ t: next || undefined })}
        />
        <Chip on={given.needs === "nothing"} onToggle={() => onSearch({ needs: given.needs ? undefined : "nothing" })}>
          {words.needsNothing}
        </Chip>
      </div>
      {content()}
    </>
  );
}
