import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { triggersOfQuery } from "../../data/triggers.ts";
import { words } from "../../messages/en-inspector.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/button.tsx";
import { useBuilder } from "../builder-context.tsx";
import { UsedBy } from "../deploy-effects.tsx";
import styles from "./inspector.module.css";

const PLACES = [
  { to: "/w/$w/webhooks", text: words.itsWebhooks },
  { to: "/w/$w/schedules", text: words.itsSchedules },
] as const;

/** Shows what starts the workflow besides people, with links to its settings. */
export function StartedBy() {
  const { workspaceId, spaceId, workflowId } = useBuilder();
  const { slug } = useWorkspace();
  const at = useMemo(() => ({ workspaceId, spaceId, id: workflowId }), [workspaceId, spaceId, workflowId]);
  const { data } = useQuery(triggersOfQuery(at));
  const isEmpty = data?.schedules.length === 0 && data.webhooks.length === 0;
  return (
    <div className={styles.startedBy}>
      <UsedBy at={at} title={words.startedBy} />
      {isEmpty ? <p className={styles.quiet}>{words.startedByHand}</p> : null}
      <p className={styles.triggers}>
        {PLACES.map(({ to, text }) => (
          <Link
            key={to}
            to={to}
            params={{ w: slug }}
            search={{ workflow: workflowId }}
            className={buttonClass({ size: "small" })}
          >
            {text}
          </Link>
        ))}
      </p>
    </div>
  );
}
