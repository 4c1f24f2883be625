import { X } from "lucide-react";
import { words } from "../messages/en-builder.ts";
import { words as deployedWords } from "../messages/en-deployed.ts";
import { IconButton } from "../ui/button.tsx";
import { nameOf, useDocument } from "./document/index.ts";
import styles from "./problems.module.css";
import type { Scene } from "./scene.ts";
import type { FoundFault } from "./use-check.ts";

/** All that is wrong with the workflow. Each row leads to its step. */
export function Problems({
  scene,
  faults,
  onClose,
}: {
  scene: Scene;
  faults: readonly FoundFault[];
  onClose: () => void;
}) {
  const state = useDocument(scene.doc);
  return (
    <section className={styles.problems} aria-label={words.problems}>
      <header className={styles.head}>
        <h2 className={styles.title}>{words.problems}</h2>
        <IconButton label={words.close} size="small" onClick={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      {faults.length === 0 ? <p className={styles.none}>{words.noProblems}</p> : null}
      <ul className={styles.list}>
        {faults.map(({ nodeId, path, message, severity }) => (
          <li key={`${nodeId} ${path} ${message}`}>
            <button
              type="button"
              className={styles.row}
              disabled={nodeId === undefined || !state.nodes.has(nodeId)}
              onClick={() => nodeId !== undefined && scene.select([nodeId])}
            >
              <span className={styles.name}>{nodeId === undefined ? words.workflow : nameOf(state, nodeId)}</span>
              <span className={styles.message}>
                {severity === "warning" ? <b className={styles.warning}>{deployedWords.warning}</b> : null}
                {message}
              </span>
              <code className={styles.path}>{path.replace(/^\/data/, "")}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
