import { useQueries } from "@tanstack/react-query";
import { foundRunQuery } from "../../data/compare.ts";
import { problemOf } from "../../data/problem.ts";
import { comparison as words } from "../../messages/en-comparison.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Failure, type Problem } from "../../ui/states.tsx";
import styles from "./compare.module.css";
import { RunCard } from "./run-card.tsx";

interface OneLeftProps {
  a: string;
  b: string;
  /** Why the runs could not be compared. */
  problem: Problem;
  onRetry: () => void;
}

/** Shown if two runs cannot be compared: the run that still exists, and what happened to the other. */
export function RemainingRun({ a, b, problem, onRetry }: OneLeftProps) {
  const { id: workspaceId } = useWorkspace();
  const found = useQueries({ queries: [a, b].map(id => foundRunQuery(workspaceId, id)) });
  if (!found.some(({ data }) => data)) return <Failure problem={problem} onRetry={onRetry} />;
  return (
    <div className={styles.sides}>
      {found.map(({ data, error }, n) =>
        data ? (
          <RunCard key={data.id} run={data} title={n === 0 ? words.first : words.second} />
        ) : (
          <section key={n === 0 ? a : b} className={styles.side} aria-label={n === 0 ? words.first : words.second}>
            <span className={styles.which}>{n === 0 ? words.first : words.second}</span>
            {error ? <Failure small problem={problemOf(error)} onRetry={onRetry} /> : null}
          </section>
        ),
      )}
    </div>
  );
}
