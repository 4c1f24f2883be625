import { useQuery } from "@tanstack/react-query";
import { Copy, SearchCheck } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import { recordIn } from "../../data/json-text.ts";
import { type Asked, type KnowledgeBase, type KnowledgeMatch, playQuery } from "../../data/knowledge.ts";
import { problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-knowledge.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { copy } from "../../ui/copy.ts";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Select } from "../../ui/select.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure, Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./base.module.css";
import { type Condition, EMPTY, filterOf } from "./conditions.ts";
import { FilterBuilder } from "./filter-builder.tsx";
import { sourceOf } from "./source.ts";
import type { BaseSearch } from "./search.ts";

const LIMITS = ["5", "10", "20", "50"] as const;
/** The characters shown before and after the best passage. */
const AROUND = 240;

/** The best passage, marked, with some text around it. */
function Passage({ match: { content, chunk, excerpt } }: { match: KnowledgeMatch }) {
  const { start, end } = excerpt ? { start: 0, end: content.length } : chunk;
  const [from, to] = [Math.max(0, start - AROUND), Math.min(content.length, end + AROUND)];
  return (
    <p className={styles.passage}>
      {from > 0 ? "… " : ""}
      {content.slice(from, start)}
      <mark>{content.slice(start, end)}</mark>
      {content.slice(end, to)}
      {to < content.length ? " …" : ""}
    </p>
  );
}

function Result({ match, onOpen }: { match: KnowledgeMatch; onOpen: () => void }) {
  const source = sourceOf(match);
  return (
    <li className={styles.result}>
      <div className={styles.scores}>
        <span className={styles.score}>
          {words.playground.score} {match.score.toFixed(3)}
        </span>
        <span>{words.playground.matched[match.matched]}</span>
        {source ? <span>{source}</span> : null}
        <Button size="small" tone="quiet" onClick={onOpen}>
          {words.entry.open}
        </Button>
      </div>
      <Passage match={match} />
    </li>
  );
}

/** A workflow step that does this search, for pasting into the builder. */
const stepOf = ({ id }: Pick<KnowledgeBase, "id">, { query, limit, filter }: Asked): string =>
  JSON.stringify({
    nodes: [
      {
        id: "search",
        type: "retriever",
        name: words.playground.search,
        position: { x: 0, y: 0 },
        data: { knowledgeBaseId: id, query, limit, ...(filter && { filter }) },
      },
    ],
    edges: [],
  });

interface PlayTabProps {
  base: KnowledgeBase;
  given: BaseSearch;
  search: (change: BaseSearch) => void;
}

/** Searches the base as a step would, and shows the matches and their scores. */
export function SearchTab({ base, given, search }: PlayTabProps) {
  const { id: workspaceId } = useWorkspace();
  const [query, setQuery] = useState(given.q ?? "");
  const [mode, setMode] = useState<Asked["mode"]>("hybrid");
  const [limit, setLimit] = useState<(typeof LIMITS)[number]>("10");
  const [as, setAs] = useState<"fields" | "json">("fields");
  const [rows, setRows] = useState<readonly Condition[]>([EMPTY]);
  const [conditions, setConditions] = useState("");
  const typed = conditions.trim() === "" ? undefined : recordIn(conditions);
  const filter = as === "fields" ? filterOf(rows) : typed;
  const isBad = as === "json" && conditions.trim() !== "" && !typed;
  const show = (next: "fields" | "json") => {
    const ofRows = filterOf(rows);
    if (next === "json" && ofRows) setConditions(JSON.stringify(ofRows, null, 2));
    setAs(next);
  };
  const now: Asked = { query: query.trim(), mode, limit: Number(limit), filter };
  const [asked, setAsked] = useState<Asked | undefined>(given.q === undefined ? undefined : now);
  const { data, error, isFetching, refetch } = useQuery(playQuery(workspaceId, base.id, asked));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isBad || now.query === "") return;
    search({ q: now.query });
    if (JSON.stringify(now) === JSON.stringify(asked)) void refetch();
    else setAsked(now);
  };
  const content = () => {
    if (asked === undefined) {
      return (
        <Empty small icon={<SearchCheck size={20} aria-hidden />} title={words.playground.begin}>
          {words.playground.beginDetail}
        </Empty>
      );
    }
    if (error) return <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />;
    if (!data) return <SkeletonRows rows={4} />;
    if (data.matches.length === 0) {
      return (
        <Empty small icon={<SearchCheck size={20} aria-hidden />} title={words.playground.nothing}>
          {words.playground.nothingDetail}
        </Empty>
      );
    }
    return (
      <ol aria-label={words.playground.results(data.matches.length)}>
        {data.matches.map(match => (
          <Result key={match.id} match={match} onOpen={() => search({ tab: undefined, q: undefined, e: match.id })} />
        ))}
      </ol>
    );
  };
  const copied = async () => {
    if (asked && (await copy(stepOf(base, asked)))) toast.done(words.playground.copied);
  };
  return (
    <>
      <Card>
        <form className={styles.ask} onSubmit={submit}>
          <TextField
            label={words.playground.query}
            required
            maxLength={10_000}
            autoComplete="off"
            value={query}
            onChange={event => setQuery(event.target.value)}
          />
          <div className={styles.options}>
            <Segmented
              label={words.playground.mode}
              value={mode}
              options={[
                { value: "hybrid", label: words.playground.modes.hybrid },
                { value: "keywords", label: words.playground.modes.keywords },
              ]}
              onChange={setMode}
            />
            <Select
              label={words.playground.limit}
              value={limit}
              options={LIMITS.map(value => ({ value, label: value }))}
              onChange={setLimit}
            />
          </div>
          <details className={styles.more} open={isBad || undefined}>
            <summary>{words.playground.filter}</summary>
            <div className={styles.filter}>
              <Segmented
                label={words.conditions.as}
                value={as}
                options={[
                  { value: "fields", label: words.conditions.fields },
                  { value: "json", label: words.conditions.json },
                ]}
                onChange={show}
              />
              {as === "fields" ? (
                <FilterBuilder baseId={base.id} conditions={rows} onChange={setRows} />
              ) : (
                <TextArea
                  code
                  hideLabel
                  label={words.playground.filter}
                  hint={words.playground.filterHint}
                  error={isBad ? words.playground.filterBad : undefined}
                  rows={4}
                  spellCheck={false}
                  value={conditions}
                  onChange={event => setConditions(event.target.value)}
                />
              )}
            </div>
          </details>
          <div className={styles.acts}>
            <Button tone="primary" type="submit" busy={isFetching}>
              {words.playground.search}
            </Button>
            {asked ? (
              <Button icon={<Copy size={14} aria-hidden />} onClick={() => void copied()}>
                {words.playground.copyStep}
              </Button>
            ) : null}
          </div>
        </form>
      </Card>
      {data?.degraded ? <Notice tone="warn">{words.playground.degraded}</Notice> : null}
      <Card flush title={data && data.matches.length > 0 ? words.playground.results(data.matches.length) : undefined}>
        {content()}
      </Card>
    </>
  );
}
