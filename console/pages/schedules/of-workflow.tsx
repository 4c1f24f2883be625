import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { workflowsQuery } from "../../data/workflows.ts";
import { triggers as words } from "../../messages/en-triggers.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/states.tsx";
import styles from "./schedules.module.css";

const OTHER = { schedules: "webhooks", webhooks: "schedules" } as const;

/** Says that a list is filtered by one workflow. It links to the other kind of triggers and to the whole list. */
export function OfWorkflow({ workflow, list }: { workflow: string; list: "schedules" | "webhooks" }) {
  const { id, slug: w } = useWorkspace();
  const { data = [] } = useQuery(workflowsQuery(id));
  const name = data.find(one => one.id === workflow)?.name ?? workflow.slice(0, 8);
  const other = OTHER[list];
  return (
    <Notice
      action={
        <div className={styles.ofWorkflow}>
          <Link to={`/w/$w/${other}`} params={{ w }} search={{ workflow }} className={buttonClass({ size: "small" })}>
            {m.places[other]}
          </Link>
          <Link to={`/w/$w/${list}`} params={{ w }} className={buttonClass({ size: "small" })}>
            {words.showAll}
          </Link>
        </div>
      }
    >
      {words.onlyOf(name)}
    </Notice>
  );
}
