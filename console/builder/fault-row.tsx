import { useQuery } from "@tanstack/react-query";
import { nodeTypesQuery } from "../data/node-types.ts";
import { labelsAt } from "../forms/step/labels.ts";
import { words } from "../messages/en-builder.ts";
import { words as deployedWords } from "../messages/en-deployed.ts";
import { WithCode } from "../ui/markdown.tsx";
import { type DocumentState, nameOf, typeOf, valueAt } from "./document/index.ts";
import styles from "./fault-row.module.css";
import type { NodeTypes } from "./node-types.ts";
import type { FoundFault } from "./use-check.ts";

export const faultRow = styles.row;

/** The field that shows the fault, by its labels. A part that no field shows stays a pointer. */
function placeOf(state: DocumentState, { nodeId, path }: FoundFault, types: NodeTypes | undefined) {
  const node = nodeId === undefined ? undefined : state.nodes.get(nodeId);
  const [, part = "", inside = ""] = /^\/(data|policy)(.*)$/.exec(path) ?? [];
  const info = types?.types.find(({ type }) => type === typeOf(node));
  const schema = part === "policy" ? types?.policySchema : info?.dataSchema;
  if (part === "" || !schema) return { label: "", rest: part === "data" ? inside : path };
  const { labels, rest } = labelsAt(schema, valueAt(node, `/${part}`), inside);
  return { label: labels.join(" › "), rest };
}

/** The parts of a row that names a fault: its step, what is wrong, and where. */
export function FaultParts({ state, fault }: { state: DocumentState; fault: FoundFault }) {
  const { nodeId, message, severity } = fault;
  const { data: types } = useQuery(nodeTypesQuery);
  const { label, rest } = placeOf(state, fault, types);
  return (
    <>
      <span className={styles.name}>{nodeId === undefined ? words.workflow : nameOf(state, nodeId)}</span>
      <span className={styles.message}>
        {severity === "warning" ? <b className={styles.warning}>{deployedWords.warning}</b> : null}
        <WithCode text={message} />
      </span>
      <span className={styles.path}>
        {label} {rest === "" ? null : <code>{rest}</code>}
      </span>
    </>
  );
}
