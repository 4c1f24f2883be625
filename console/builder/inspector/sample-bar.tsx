import { useQuery } from "@tanstack/react-query";
import { ListTree } from "lucide-react";
import { runsOfQuery } from "../../data/step-values.ts";
import formStyles from "../../forms/form.module.css";
import { words } from "../../messages/en-inspector.ts";
import { m } from "../../messages/index.ts";
import { fullTime } from "../../messages/time.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { useBuilder } from "../builder-context.tsx";
import { nameOf } from "../document/index.ts";
import styles from "./inspector.module.css";
import type { StepSample } from "./use-step-sample.ts";

interface SampleBarProps {
  sample: StepSample;
  shown: boolean;
  onShow: () => void;
}

/** Chooses the values that the fields show: a run, and the items of the maps around the step. */
export function SampleBar({ sample, shown, onShow }: SampleBarProps) {
  const { doc } = useBuilder();
  const { at, chosen } = sample;
  const { data: runs = [] } = useQuery(runsOfQuery(at));
  const known = runs.some(({ id }) => id === chosen.executionId);
  return (
    <div className={styles.sampleBar}>
      {chosen.executionId === undefined && runs.length === 0 ? (
        <span className={styles.quiet} title={words.noSampleDetail}>
          {chosen.example() === undefined ? words.noSample : words.exampleSample}
        </span>
      ) : (
        <select
          className={cx(formStyles.select, styles.runSelect)}
          aria-label={words.sampleOf}
          value={chosen.executionId ?? ""}
          onChange={event => sample.chooseRun(event.target.value)}
        >
          {known ? null : <option value={chosen.executionId ?? ""}>{words.run(chosen.executionId ?? "")}</option>}
          {runs.map(({ id, status, createdAt }) => (
            <option key={id} value={id}>
              {`${words.run(id)}, ${m.status[status].toLowerCase()}, ${fullTime(createdAt)}`}
            </option>
          ))}
        </select>
      )}
      {chosen.path.map(({ nodeId, index }) => (
        <label key={nodeId} className={styles.itemPick} title={nameOf(doc.getState(), nodeId)}>
          {words.itemNumber}
          <input
            type="number"
            min={1}
            step={1}
            value={index + 1}
            onChange={event => sample.chooseItem(nodeId, Math.max(0, Math.trunc(Number(event.target.value)) - 1))}
          />
        </label>
      ))}
      <Button
        size="small"
        tone="quiet"
        className={styles.valuesButton}
        icon={<ListTree size={14} aria-hidden />}
        aria-pressed={shown}
        onClick={onShow}
      >
        {words.values}
      </Button>
    </div>
  );
}
