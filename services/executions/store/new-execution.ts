import { v7 as uuid } from "uuid";
import type { ExecutionParent, Trigger } from "../../../contracts/entities/execution.ts";
import type { Labels } from "../../../contracts/entities/run-identity.ts";
import type { CreatedEntry } from "../../../core/run/entry.ts";
import { traceparentHere } from "../../../telemetry/tracing.ts";
import type { ExecutionDoc } from "./model.ts";

export interface NewExecution {
  workspaceId: string;
  spaceId: string;
  workflowId: string;
  workflowVersion: number;
  startedBy: string;
  trigger: Trigger;
  attempt: number;
  input: unknown;
  retryOf?: string | undefined;
  /** The step that runs again with all that it leads to; null keeps all finished steps. */
  retryFrom?: string | null | undefined;
  /** Set when the caller chose the id. */
  id?: string | undefined;
  /** What expressions see of the trigger besides its type and id. */
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
  const { input, retryOf, retryFrom, id = uuid(), context, parent, depth, deployed, forFailure, ...named } = wanted;
  const { key, labels, needs, ...fields } = named;
  const now = new Date();
  const traceparent = traceparentHere();
  const doc: ExecutionDoc = {
    id,
    ...fields,
    status: "pending",
    createdAt: now,
    ...(parent && { parent, parentId: parent.executionId }),
    ...(depth && { depth }),
    ...(deployed && { deployed }),
    ...(forFailure && { forFailure }),
    ...(key !== undefined && { key, openKey: key }),
    ...(labels && Object.keys(labels).length > 0 && { labels }),
  };
  const created: CreatedEntry = {
    seq: 0,
    event: "execution.created",
    at: now.toISOString(),
    input,
    trigger: { ...context, ...fields.trigger },
    ...(retryOf && { retryOf }),
    ...(retryFrom !== undefined && { retryFrom }),
    ...(traceparent !== undefined && { traceparent }),
    ...(needs !== undefined && { needs }),
  };
  return { doc, created };
}
