import { ArrowDownToLine, Download, Search } from "lucide-react";
import { useEffect, useState } from "react";
import { logTexts as words } from "../messages/en-log.ts";
import { Button } from "../ui/button.tsx";
import { save } from "../ui/save.ts";
import { SearchField } from "../ui/search-field.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Select } from "../ui/select.tsx";
import { ValueChip } from "../ui/value-chip.tsx";
import { logAsText } from "../data/run.ts";
import type { RunAddress } from "../data/run-types.ts";
import styles from "./log.module.css";
import type { RunSearch } from "./search.ts";

export type LogSearch = Pick<RunSearch, "level" | "q" | "of" | "item">;

interface LogBarProps {
  at: RunAddress;
  /** Step names by id. */
  names: ReadonlyMap<string, string>;
  search: LogSearch;
  onSearch: (change: LogSearch) => void;
  /** Whether the view follows the newest entries. Undefined if the run has ended. */
  follows: boolean | undefined;
  onFollow: (follows: boolean) => void;
}

const TYPED_MS = 300;
const EVERY = "";

/** A text filter, which applies when the user stops typing. */
function TextFilter({ value, onChange }: { value: string | undefined; onChange: (q: string | undefined) => void }) {
  const [text, setText] = useState(value ?? "");
  const next = text.trim() || undefined;
  useEffect(() => {
    if (next === value) return;
    const timer = setTimeout(() => onChange(next), TYPED_MS);
    return () => clearTimeout(timer);
  });
  return (
    <SearchField
      className={styles.search}
      icon={<Search size={14} aria-hidden />}
      label={words.search}
      value={text}
      onChange={setText}
    />
  );
}

/** The filters of the log, with the buttons that follow and download it. */
export function LogBar({ at, names, search, onSearch, follows, onFollow }: LogBarProps) {
  const download = async () => save(await logAsText(at), `run-${at.id}.jsonl`, "application/jsonl");
  return (
    <div className={styles.bar}>
      <Segmented
        label={<span className="visually-hidden">{words.level}</span>}
        value={search.level ?? "all"}
        onChange={next => onSearch({ level: next === "all" ? undefined : next })}
        options={[
          { value: "all", label: words.all },
          { value: "problems", label: words.problems },
        ]}
      />
      <TextFilter key={search.q ?? ""} value={search.q} onChange={q => onSearch({ q })} />
      <Select
        className={styles.steps}
        label={words.step}
        hideLabel
        value={search.of ?? EVERY}
        options={[{ value: EVERY, label: words.everyStep }, ...[...names].map(([value, label]) => ({ value, label }))]}
        onChange={next => onSearch({ of: next === EVERY ? undefined : next })}
      />
      {search.item === undefined ? null : (
        <ValueChip name={words.item} label={words.everyItem} onRemove={() => onSearch({ item: undefined })}>
          {search.item}
        </ValueChip>
      )}
      <div className={styles.acts}>
        {follows === undefined ? null : (
          <Button
            aria-pressed={follows}
            title={words.followHint}
            icon={<ArrowDownToLine size={14} aria-hidden />}
            onClick={() => onFollow(!follows)}
          >
            {words.follow}
          </Button>
        )}
        <Button icon={<Download size={14} aria-hidden />} onClick={() => void download()}>
          {words.download}
        </Button>
      </div>
    </div>
  );
}
