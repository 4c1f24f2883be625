import { useState } from "react";
import type { Workflow } from "../../sdk/definition.ts";
import { words } from "../messages/en-deployed.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/states.tsx";
import styles from "./deployed-warnings.module.css";

/** The name of a step, or its id if the newest version has no such step. */
function nameOf(definition: unknown, nodeId: string): string {
  const { nodes } = (definition ?? {}) as { nodes?: unknown };
  const steps = Array.isArray(nodes) ? (nodes as ({ id?: unknown; name?: unknown } | null)[]) : [];
  const name = steps.find(one => one?.id === nodeId)?.name;
  return typeof name === "string" && name !== "" ? name : nodeId;
}

/**
 * Says that the deployed version would be refused today, and why. It checks only the version that this page has read.
 */
export function DeployedWarnings({ live, workflow }: { live: number; workflow: Workflow }) {
  const { deployedVersion, deployedWarnings: warnings } = workflow;
  const [open, setOpen] = useState(false);
  if (live !== deployedVersion || !warnings) return null;
  return (
    <Notice
      tone="warn"
      action={
        <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? words.hide : words.show}
        </Button>
      }
    >
      {words.text(live, warnings.length)}
      {open ? (
        <ul className={styles.list}>
          {warnings.map(({ nodeId, path, message }) => (
            <li key={`${path} ${message}`}>
              <strong>{nodeId === null ? words.whole : nameOf(workflow.definition, nodeId)}</strong>
              <span>{message}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </Notice>
  );
}
