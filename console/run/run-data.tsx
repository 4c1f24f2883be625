import type { Execution } from "../../sdk/definition.ts";
import { JsonView } from "../json/json-view.tsx";
import { runTexts } from "../messages/en-run.ts";
import { Segmented } from "../ui/segmented.tsx";
import { Empty } from "../ui/states.tsx";
import styles from "./run-data.module.css";
import type { StepTab } from "./search.ts";

interface RunDataProps {
  run: Execution;
  tab: StepTab | undefined;
  pointer: string | undefined;
  onTab: (tab: StepTab) => void;
}

/** The input and the output of a run. */
export function RunData({ run, tab, pointer, onTab }: RunDataProps) {
  const which = tab === "input" || (tab === undefined && run.output === null) ? "input" : "output";
  const value = run[which];
  return (
    <div className={styles.data}>
      <div className={styles.bar}>
        <Segmented
          label={<span className="visually-hidden">{runTexts.run.view.data}</span>}
          value={which}
          onChange={onTab}
          options={[
            { value: "input", label: runTexts.run.input },
            { value: "output", label: runTexts.run.output },
          ]}
        />
      </div>
      {value === null ? (
        <Empty title={which === "input" ? runTexts.run.noRunInput : runTexts.run.noOutput} small />
      ) : (
        <JsonView
          key={`${which} ${pointer ?? ""}`}
          value={value}
          root={which}
          name={`run-${run.id}-${which}`}
          pointer={pointer}
        />
      )}
    </div>
  );
}
