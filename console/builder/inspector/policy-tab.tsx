import { useMemo } from "react";
import { isRecord } from "../../data/json.ts";
import type { StepFormContext } from "../../forms/step/context.ts";
import type { Schema } from "../../forms/schema.ts";
import { StepForm } from "../../forms/step/step-form.tsx";
import { words } from "../../messages/en-inspector.ts";
import { useBuilder } from "../builder-context.tsx";
import { setNodeValue, typeOf as nodeTypeOf, useNode } from "../document/index.ts";
import type { NodeType } from "../node-types.ts";
import styles from "./inspector.module.css";
import { invalidTextsOf } from "../invalid-texts.ts";
import { faultsBelow } from "./faults-below.ts";

/**
 * The schema of the policy, limited to what a type allows. Some types have no retries, and some cannot continue after a
 * failure.
 */
export function policyFor(schema: Schema, info: NodeType | undefined): Schema {
  if (!info || !isRecord(schema.properties)) return schema;
  const { onError, timeoutMs, retry, ...others } = schema.properties;
  const timed = isRecord(timeoutMs) && info.timeoutMs !== null ? { ...timeoutMs, default: info.timeoutMs } : undefined;
  const ends = isRecord(onError) && info.onError.length > 1 ? { ...onError, enum: info.onError } : undefined;
  return {
    ...schema,
    properties: {
      ...others,
      ...(info.policy && { retry }),
      ...(info.policy && timed && { timeoutMs: timed }),
      ...(ends && { onError: ends }),
    },
  };
}

const NO_PREVIEWS = { subscribe: () => () => undefined, at: () => undefined };

/** The policy of a step: its retries, its time limit, and its error handling. */
export function PolicyTab({ nodeId }: { nodeId: string }) {
  const { doc, typeOf, nodeTypes, readOnly, faults } = useBuilder();
  const node = useNode(doc, nodeId);
  const info = typeOf(nodeTypeOf(node));
  const own = faults.get(nodeId);
  const context = useMemo<StepFormContext>(
    () => ({
      root: policyFor(nodeTypes?.policySchema ?? {}, info),
      change: (pointer, value) => void doc.apply(setNodeValue(nodeId, `/policy${pointer}`, value)),
      faults: faultsBelow(own, "/policy"),
      previews: NO_PREVIEWS,
      scope: () => undefined,
      literal: true,
      readOnly,
      unread: invalidTextsOf(doc, `${nodeId} policy`),
      pickers: {},
    }),
    [nodeTypes, info, doc, nodeId, own, readOnly],
  );
  if (!nodeTypes) return null;
  const has = isRecord(context.root.properties) && Object.keys(context.root.properties).length > 0;
  return (
    <div className={styles.form}>
      {has ? <StepForm context={context} schema={context.root} value={node?.policy} /> : <p>{words.noPolicy}</p>}
    </div>
  );
}
