import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Filter } from "lucide-react";
import { useState } from "react";
import { stepsQuery } from "../data/run.ts";
import type { RunAddress, Step, StepPath } from "../data/run-types.ts";
import { runTexts } from "../messages/en-run.ts";
import { IconButton } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import styles from "./item-picker.module.css";

interface ItemPickerProps {
  at: RunAddress;
  /** The map or loop, with its counts. */
  container: Step;
  /** The item or round whose steps are shown. */
  index: number;
  onGo: (path: StepPath) => void;
}

/** Walks through the items of a map or the rounds of a loop, or through the failed ones alone. */
export function ItemPicker({ at, container, index, onGo }: ItemPickerProps) {
  const [failedOnly, setFailedOnly] = useState(false);
  const { nodeId, type, path = [], items } = container;
  const { total = 0, failed = 0 } = items ?? {};
  const under = [...path, { nodeId }];
  const { data } = useQuery({ ...stepsQuery(at, under, 1, true), enabled: failedOnly && failed > 0 });
  const among = failedOnly ? (data?.steps ?? []).map(step => step.path?.at(-1)?.index ?? 0) : undefined;
  const before = among ? among.findLast(one => one < index) : index > 0 ? index - 1 : undefined;
  const after = among ? among.find(one => one > index) : index < total - 1 ? index + 1 : undefined;
  const go = (to: number | undefined) => to !== undefined && onGo([...path, { nodeId, index: to }]);
  const texts = runTexts.items;
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
      <span className={styles.text} role="status">
        {texts.of(type === "loop" ? runTexts.run.round(index) : runTexts.run.item(index), total)}
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
