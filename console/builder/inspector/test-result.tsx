import { words } from "../../messages/en-inspector.ts";
import { runTexts } from "../../messages/en-run.ts";
import { durationText } from "../../messages/time.ts";
import { cx } from "../../ui/cx.ts";
import { Failure } from "../../ui/states.tsx";
import styles from "./inspector.module.css";
import type { Tested } from "./use-test.ts";

/** The result of a test of the step, with its error and its log. */
export function TestResult({ tested: { result, problem, faults = [] } }: { tested: Tested }) {
  if (problem)
    return (
      <>
        <Failure problem={problem} small />
        {faults.length > 0 ? (
          <ul className={styles.faults}>
            {faults.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        ) : null}
      </>
    );
  if (!result) return null;
  const { outcome, durationMs, handle, error, suspension, log } = result;
  const text = outcome === "waits" ? words.tested.waits : words.tested[outcome](durationText(durationMs));
  return (
    <div className={styles.result} role="status">
      <p className={cx(styles.outcome, outcome === "failed" && styles.failed)}>
        {text}
        {handle !== null && handle !== "out" ? `, ${words.leavesBy(runTexts.run.handle(handle))}` : ""}
      </p>
      {error ? (
        <div className={styles.error}>
          <p>
            <code>{error.code}</code> {error.message}
          </p>
          {error.details === undefined || error.details === null ? null : (
            <details>
              <summary>{words.details}</summary>
              <pre className={styles.code}>{JSON.stringify(error.details, null, 2)}</pre>
            </details>
          )}
        </div>
      ) : null}
      {suspension && "prompt" in suspension ? (
        <p>
          {words.asks}: {String(suspension.prompt)}
        </p>
      ) : null}
      {log.length > 0 ? (
        <details>
          <summary>{words.testLog}</summary>
          <ul className={styles.log}>
            {log.map(({ level, message }, n) => (
              <li key={n} data-level={level}>
                {message}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}
