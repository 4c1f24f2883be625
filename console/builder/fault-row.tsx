import { words } from "../messages/en-builder.ts";
import { words as deployedWords } from "../messages/en-deployed.ts";
import { WithCode } from "../ui/markdown.tsx";
import { type DocumentState, nameOf } from "./document/index.ts";
import styles from "./fault-row.module.css";
import type { FoundFault } from "./use-check.ts";

export const faultRow = styles.row;

/** The parts of a row that names a fault: its step, what is wrong, and where. */
export function FaultParts({ state, fault }: { state: DocumentState; fault: FoundFault }) {
  const { nodeId, path, message, severity } = fault;
  return (
    <>
      <span className={styles.name}>{nodeId === undefined ? words.workflow : nameOf(state, nodeId)}</span>
      <span className={styles.message}>
        {severity === "warning" ? <b className={styles.warning}>{deployedWords.warning}</b> : null}
        <WithCode text={message} />
      </span>
      <code className={styles.path}>{path.replace(/^\/data/, "")}</code>
    </>
  );
}
