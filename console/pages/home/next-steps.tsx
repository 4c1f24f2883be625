import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Circle, CircleCheck, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useFirstSteps } from "../../data/first-steps.ts";
import { builderPath } from "../../data/paths.ts";
import { newestRunsQuery } from "../../data/runs.ts";
import type { WorkflowRow } from "../../data/workflows.ts";
import { words } from "../../messages/en-next-steps.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import styles from "./next-steps.module.css";

const HINTS = ["run", "deploy", "start", "invite"] as const;
type Hint = (typeof HINTS)[number];

const hiddenKey = (workspaceId: string) => `weft:next-steps:${workspaceId}`;
const readHidden = (workspaceId: string): readonly string[] =>
  (localStorage.getItem(hiddenKey(workspaceId)) ?? "").split(",");

/**
 * Suggested next steps for a new workspace, until all are done or hidden. What is done follows from the data of the
 * workspace; only hidden hints are stored.
 */
export default function NextSteps({ workflows }: { workflows: readonly WorkflowRow[] }) {
  const { id, slug, role } = useWorkspace();
  const [hidden, setHidden] = useState(() => readHidden(id));
  const shown = HINTS.filter(hint => !hidden.includes(hint) && (hint !== "invite" || includesRole(role, "admin")));
  const enabled = shown.length > 0;
  const { data: runs } = useQuery({ ...newestRunsQuery(id, { status: ["completed"] }, 1), enabled });
  const first = useFirstSteps(id, enabled);
  const newest = workflows[0];
  const done: Record<Hint, boolean> | undefined = runs &&
    first && {
      run: runs.length > 0,
      deploy: workflows.some(({ deployedVersion }) => deployedVersion !== null),
      start: first.starts,
      invite: first.hasColleague,
    };
  const isAllDone = done !== undefined && shown.every(hint => done[hint]);
  // Later visits need not ask again.
  useEffect(() => {
    if (isAllDone) localStorage.setItem(hiddenKey(id), HINTS.join());
  }, [isAllDone, id]);
  if (!newest || !done || isAllDone) return null;
  const builder = builderPath(slug, newest);
  const places: Record<Hint, string> = {
    run: builder,
    deploy: builder,
    start: `/w/${slug}/schedules?new=1`,
    invite: `/w/${slug}/settings/members?invite=1`,
  };
  const hide = (hint: Hint) => {
    const next = [...hidden, hint];
    localStorage.setItem(hiddenKey(id), next.join());
    setHidden(next);
  };
  return (
    <Card flush title={words.title}>
      <ul>
        {shown.map(hint => {
          const isDone = done[hint];
          const { title, detail } = words.steps[hint];
          return (
            <li key={hint} className={styles.step} data-done={isDone || undefined}>
              {isDone ? <CircleCheck size={16} aria-hidden /> : <Circle size={16} aria-hidden />}
              <div className={styles.text}>
                {isDone ? (
                  <span className={styles.title}>
                    <span className="visually-hidden">{words.done} </span>
                    {title}
                  </span>
                ) : (
                  <>
                    <Link to={places[hint]} className={styles.title}>
                      {title}
                    </Link>
                    <p className={styles.detail}>{detail}</p>
                  </>
                )}
              </div>
              <IconButton size="small" label={words.dismiss(title)} onClick={() => hide(hint)}>
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
