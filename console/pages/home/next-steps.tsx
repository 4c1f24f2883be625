import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Circle, CircleCheck, X } from "lucide-react";
import { useState } from "react";
import { builderPath } from "../../data/paths.ts";
import { newestRunsQuery } from "../../data/runs.ts";
import { schedulesQuery, webhooksQuery } from "../../data/triggers.ts";
import type { WorkflowRow } from "../../data/workflows.ts";
import { membersQuery } from "../../data/workspaces.ts";
import { words } from "../../messages/en-next-steps.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import styles from "./next-steps.module.css";

const hiddenKey = (workspaceId: string) => `weft:next-steps:${workspaceId}`;

/**
 * What a new workspace may do next. What is there says what is done, so nothing has to be remembered but that a person
 * hid the hints.
 */
export default function NextSteps({ workflows }: { workflows: readonly WorkflowRow[] }) {
  const { id, slug, role } = useWorkspace();
  const [hidden, setHidden] = useState(() => localStorage.getItem(hiddenKey(id)) !== null);
  const enabled = !hidden;
  const { data: runs } = useQuery({ ...newestRunsQuery(id, { status: ["completed"] }, 1), enabled });
  const { data: schedules } = useQuery({ ...schedulesQuery(id), enabled, refetchInterval: false });
  const { data: webhooks } = useQuery({ ...webhooksQuery(id), enabled, refetchInterval: false });
  const { data: members } = useQuery({ ...membersQuery(id), enabled });
  const newest = workflows[0];
  if (hidden || !newest || !runs || !schedules || !webhooks || !members) return null;
  const builder = builderPath(slug, newest);
  const steps = [
    { ...words.steps.run, done: runs.length > 0, to: builder },
    { ...words.steps.deploy, done: workflows.some(({ deployedVersion }) => deployedVersion !== null), to: builder },
    { ...words.steps.start, done: schedules.length + webhooks.length > 0, to: `/w/${slug}/schedules` },
    ...(includesRole(role, "admin")
      ? [{ ...words.steps.invite, done: members.length > 1, to: `/w/${slug}/settings/members` }]
      : []),
  ];
  if (steps.every(({ done }) => done)) return null;
  const hide = () => {
    localStorage.setItem(hiddenKey(id), "hidden");
    setHidden(true);
  };
  return (
    <Card
      flush
      title={words.title}
      aside={
        <IconButton size="small" label={words.dismiss} onClick={hide}>
          <X size={14} aria-hidden />
        </IconButton>
      }
    >
      <ul>
        {steps.map(({ title, detail, done, to }) => (
          <li key={title} className={styles.step} data-done={done || undefined}>
            {done ? <CircleCheck size={16} aria-hidden /> : <Circle size={16} aria-hidden />}
            <div>
              {done ? (
                <span className={styles.title}>
                  <span className="visually-hidden">{words.done} </span>
                  {title}
                </span>
              ) : (
                <>
                  <Link to={to} className={styles.title}>
                    {title}
                  </Link>
                  <p className={styles.detail}>{detail}</p>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
