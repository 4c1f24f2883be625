import { useState } from "react";
import type { Workflow } from "../../sdk/definition.ts";
import { words } from "../messages/en-deployed.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/states.tsx";
import styles from "./deployed-warnings.module.css";

/** Says that the version that is live would be refused today, and why. It shows the version that was read alone. */
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
              <strong>{nodeId ?? words.whole}</strong> {message}
            </li>
          ))}
        </ul>
      ) : null}
    </Notice>
  );
}
