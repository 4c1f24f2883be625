import { v7 as uuid } from "uuid";
import type { ExecutionParent, StartedByKey, Trigger } from "../../../contracts/entities/execution.ts";
import type { Labels } from "../../../contracts/entities/run-identity.ts";
import type { CreatedEntry } from "../../../core/run/entry.ts";
import { currentTraceparent } from "../../../telemetry/tracing.ts";
import type { ExecutionDoc } from "./model.ts";

export interface NewExecution {
  workspaceId: string;
  spaceId: string;
  workflowId: string;
  workflowVersion: number;
  startedBy: string;
  startedByKey?: StartedByKey | undefined;
  trigger: Trigger;
  attempt: number;
  input: unknown;
  retryOf?: string | undefined;
  /** The step from which the run repeats, with everything that depends on it; null keeps all finished steps. */
  retryFrom?: string | null | undefined;
  /** Set when the caller chose the id. */
  id?: string | undefined;
  /** What expressions can read about the trigger besides its type and id. */
  context?: Record<string, unknown> | undefined;
  parent?: ExecutionParent | undefined;
  depth?: number | undefined;
  deployed?: boolean | undefined;
  forFailure?: boolean | undefined;
  key?: string | undefined;
  labels?: Labels | undefined;
  /** The journal format that a worker of the execution must understand. */
  needs?: number | undefined;
}

/** The document of a new execution and entry 0 of its journal. */
export function newExecution(wanted: NewExecution): { doc: ExecutionDoc; created: CreatedEntry } {
  const { workspaceId, spaceId, workflowId, workflowVersion, startedBy, trigger: by, attempt } = wanted;
  const { input, retryOf, retryFrom, context, parent, depth, deployed, forFailure, key, labels, needs } = wanted;
  const now = new Date();
  const traceparent = currentTraceparent();
  // Assigns each field by name, because spreads would cost more than all the rest of this function.
  const doc: ExecutionDoc = {
    id: wanted.id ?? uuid(),
    workspaceId,
    spaceId,
    workflowId,
    workflowVersion,
    startedBy,
    trigger: by,
    attempt,
    status: "pending",
    createdAt: now,
  };
  if (wanted.startedByKey) doc.startedByKey = wanted.startedByKey;
  if (parent) Object.assign(doc, { parent, parentId: parent.executionId });
  if (depth) doc.depth = depth;
  if (deployed) doc.deployed = deployed;
  if (forFailure) doc.forFailure = forFailure;
  if (key !== undefined) doc.key = doc.openKey = key;
  if (labels && Object.keys(labels).length > 0) doc.labels = labels;
  const trigger = { ...context, ...by };
  const created: CreatedEntry = { seq: 0, event: "execution.created", at: now.toISOString(), input, trigger };
  if (retryOf) created.retryOf = retryOf;
  if (retryFrom !== undefined) created.retryFrom = retryFrom;
  if (traceparent !== undefined) created.traceparent = traceparent;
  if (needs !== undefined) created.needs = needs;
  return { doc, created };
}
