import { useQuery } from "@tanstack/react-query";
import { Play, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { matchesQuery, type RunMatch } from "../data/compare.ts";
import { problemOf } from "../data/problem.ts";
import type { RunAddress } from "../data/run-types.ts";
import { find } from "../messages/en-find.ts";
import { runTexts } from "../messages/en-run.ts";
import { Dialog } from "../ui/dialog.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Empty, Failure } from "../ui/states.tsx";
import styles from "./find-in-run.module.css";
import type { GraphStep } from "./graph/definition.ts";
import { StepIcon } from "./graph/step-look.tsx";
import type { RunSearch } from "./search.ts";
import { pathText } from "./step-state.ts";

interface FindProps {
  at: RunAddress;
  steps: readonly GraphStep[];
  onClose: () => void;
  /** Opens a place. */
  onOpen: (place: RunSearch) => void;
}

const TYPED_MS = 250;

/** The search parameters that lead to a match on the page of the run. */
function addressOf({ nodeId, path, in: part, pointer }: RunMatch): RunSearch {
  const at = pointer === "" ? undefined : pointer;
  if (nodeId === null) return { view: "data", tab: "input", at };
  const isItem = path?.at(-1)?.nodeId === nodeId;
  return { n: isItem ? undefined : nodeId, p: pathText(path), tab: part, at };
}

/** A text with the matches marked. */
function Highlighted({ text, words }: { text: string; words: string }) {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  if (at < 0) return text;
  const end = at + words.length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}

function Place({
  match,
  step,
  words,
  onOpen,
}: {
  match: RunMatch;
  step: GraphStep | undefined;
  words: string;
  onOpen: () => void;
}) {
  const { nodeId, path = [], in: part, pointer, excerpt } = match;
  return (
    <li>
      <button type="button" className={styles.place} onClick={onOpen}>
        <span className={styles.where}>
          {nodeId === null ? <Play size={14} aria-hidden /> : <StepIcon type={step?.type ?? null} size={14} />}
          <span className={styles.name}>{nodeId === null ? find.ofRun : (step?.name ?? nodeId)}</span>
          {path.map(item => (
            <span key={item.nodeId} className={styles.note}>
              {runTexts.run.item(item.index)}
            </span>
          ))}
          {nodeId === null || part === "output" ? null : <span className={styles.note}>{find.in[part]}</span>}
          {pointer === "" ? null : <code className={styles.pointer}>{pointer}</code>}
        </span>
        <span className={styles.excerpt}>
          <Highlighted text={excerpt} words={words} />
        </span>
      </button>
    </li>
  );
}

/** Finds a text in the input, outputs and errors of a run. */
export function FindInRun({ at, steps, onClose, onOpen }: FindProps) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [words, setWords] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setWords(text.trim()), TYPED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error, refetch, isFetching } = useQuery(matchesQuery(at, words));
  const results = () => {
    if (words === "") return <p className={styles.hint}>{find.hint}</p>;
    if (data) {
      if (data.matches.length === 0) return <Empty small title={find.none} />;
      return (
        <ul className={styles.list} aria-label={find.results}>
          {data.matches.map(match => (
            <Place
              key={JSON.stringify([match.nodeId, match.path, match.in, match.pointer])}
              match={match}
              step={steps.find(({ id }) => id === match.nodeId)}
              words={words}
              onOpen={() => onOpen(addressOf(match))}
            />
          ))}
        </ul>
      );
    }
    if (error) return <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />;
    return <SkeletonRows rows={3} />;
  };
  return (
    <Dialog open onClose={onClose} title={find.title} wide focusOn={field}>
      <div className={styles.find}>
        <SearchField
          ref={field}
          icon={<Search size={14} aria-hidden />}
          label={find.field}
          value={text}
          onChange={setText}
        />
        <p className={styles.count} role="status">
          {data && words !== "" && !isFetching && data.matches.length > 0
            ? find.found(data.matches.length, data.complete)
            : ""}
        </p>
        {results()}
      </div>
    </Dialog>
  );
}
