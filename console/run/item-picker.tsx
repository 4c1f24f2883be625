import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Filter } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { stepsQuery } from "../data/run.ts";
import type { RunAddress, Step, StepPath } from "../data/run-types.ts";
import { logTexts as log } from "../messages/en-log.ts";
import { runTexts } from "../messages/en-run.ts";
import { IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import styles from "./item-picker.module.css";

interface ItemPickerProps {
  at: RunAddress;
  /** The map or loop, with the counts of its passes. */
  container: Step;
  /** The item or round whose steps are shown. */
  index: number;
  onGo: (path: StepPath) => void;
}

/** Moves through the items of a map or the rounds of a loop, or only through failed ones. */
export function ItemPicker({ at, container, index, onGo }: ItemPickerProps) {
  const [failedOnly, setFailedOnly] = useState(false);
  const { nodeId, path = [], items } = container;
  const { total = 0, failed = 0 } = items ?? {};
  const under = [...path, { nodeId }];
  const { data } = useQuery({ ...stepsQuery(at, under, 1, true), enabled: failedOnly && failed > 0 });
  const among = failedOnly ? (data?.steps ?? []).map(step => step.path?.at(-1)?.index ?? 0) : undefined;
  const before = among ? among.findLast(one => one < index) : index > 0 ? index - 1 : undefined;
  const after = among ? among.find(one => one > index) : index < total - 1 ? index + 1 : undefined;
  const go = (to: number | undefined) => to !== undefined && onGo([...path, { nodeId, index: to }]);
  const texts = runTexts.items;
  /** Enter or leaving the field opens the typed item. */
  const goTyped = (field: HTMLInputElement) => {
    const to = Number(field.value) - 1;
    if (field.value.trim() !== "" && Number.isInteger(to) && to >= 0 && to < total && to !== index) return go(to);
    field.value = String(index + 1);
  };
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    // Keys of the surrounding canvas must not react.
    event.stopPropagation();
    if (event.key === "Enter") goTyped(event.currentTarget);
  };
  return (
    <div className={styles.picker} role="group" aria-label={texts.label(container.name)}>
      <IconButton
        label={texts.previous}
        size="small"
        disabled={before === undefined}
        title={before === undefined ? texts.none : undefined}
        onClick={() => go(before)}
      >
        <ChevronLeft size={14} aria-hidden />
      </IconButton>
      <input
        key={index}
        className={styles.number}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        size={Math.max(2, String(total).length)}
        aria-label={log.number(container.name)}
        defaultValue={index + 1}
        onKeyDown={onKey}
        onBlur={event => goTyped(event.currentTarget)}
      />
      <span className={styles.text}>{log.of(total)}</span>
      <span className="visually-hidden" role="status">
        {items?.rounds ? runTexts.run.round(index) : runTexts.run.item(index)}
      </span>
      <IconButton
        label={texts.next}
        size="small"
        disabled={after === undefined}
        title={after === undefined ? texts.none : undefined}
        onClick={() => go(after)}
      >
        <ChevronRight size={14} aria-hidden />
      </IconButton>
      {failed > 0 ? (
        <IconButton
          label={runTexts.run.failedOnly(failed)}
          size="small"
          aria-pressed={failedOnly}
          className={cx(failedOnly && styles.on)}
          onClick={() => setFailedOnly(!failedOnly)}
        >
          <Filter size={13} aria-hidden />
        </IconButton>
      ) : null}
    </div>
  );
}
