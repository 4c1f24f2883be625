import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { keyOfOpen, type OpenQuestion } from "../../data/approvals.ts";
import { pathText } from "../../data/question-address.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import cut from "../../ui/cut.module.css";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { HomeCard } from "./home-card.tsx";
import styles from "./home.module.css";

/** The questions for the signed-in user, each with a link to its answer. */
export function QuestionsCard({ query, shown }: { query: UseQueryResult<OpenQuestion[]>; shown: number }) {
  const { slug: w } = useWorkspace();
  return (
    <HomeCard
      title={m.home.questions}
      none={m.home.noQuestions}
      query={query}
      all={
        <Link to="/w/$w/approvals" params={{ w }} className={buttonClass({ tone: "quiet", size: "small" })}>
          {m.home.all}
        </Link>
      }
    >
      {questions => (
        <ul>
          {questions.slice(0, shown).map(one => {
            const { executionId: run, nodeId, path, question, workflowName, workflowId, prompt, askedAt } = one;
            return (
              <li key={keyOfOpen(one)} className={styles.line} data-row={keyOfOpen(one)}>
                <Status status="asking" iconOnly />
                <Link
                  to="/w/$w/approvals"
                  params={{ w }}
                  search={{ run, n: nodeId, p: pathText(path), q: question }}
                  className={cx(styles.name, cut.line)}
                >
                  {workflowName ?? workflowId.slice(0, 8)}
                </Link>
                <span className={cx(styles.matters, cut.line)}>{prompt}</span>
                <span className={styles.when}>
                  <Time at={askedAt} />
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </HomeCard>
  );
}
