import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import type { Execution } from "../../sdk/definition.ts";
import { retryChainQuery } from "../data/retry-chain.ts";
import { logTexts as words } from "../messages/en-log.ts";
import { m } from "../messages/index.ts";
import { Status } from "../ui/status.tsx";
import styles from "./run-head.module.css";

/** The most runs that are shown. In a long chain the newest ones matter. */
const MAX_SHOWN = 8;
/** With only two runs, the head already names the other one. */
const MIN_SHOWN = 3;

/** The runs of a chain of retries, each with its state. */
export default function RetryChain({ run, onOpenRun }: { run: Execution; onOpenRun: (id: string) => void }) {
  const { data = [] } = useQuery(retryChainQuery(run));
  if (data.length < MIN_SHOWN) return null;
  return (
    <div>
      <dt>{words.chain}</dt>
      <dd>
        <ol className={styles.chain}>
          {data.slice(-MAX_SHOWN).map(({ id, attempt, status }, n) => (
            <li key={id}>
              {n > 0 ? <ChevronRight size={12} aria-hidden /> : null}
              <button
                type="button"
                className={styles.attempt}
                aria-label={words.inChain(attempt, m.status[status])}
                {...(id === run.id && { "aria-current": "true" as const })}
                onClick={() => id !== run.id && onOpenRun(id)}
              >
                {attempt} <Status status={status} iconOnly size={12} />
              </button>
            </li>
          ))}
        </ol>
      </dd>
    </div>
  );
}
