import type { Filter } from "../../../adapters/store/port.ts";
import {
  EXECUTION_STATUSES,
  TRIGGER_TYPES,
  type ExecutionStatus,
  type Trigger,
} from "../../../contracts/entities/execution.ts";
import type { ExecutionDoc } from "./model.ts";

export interface ListFilter {
  spaceId: string;
  workflowId?: string | undefined;
  status?: ExecutionStatus | undefined;
  trigger?: Trigger["type"] | undefined;
}

/**
 * Filters that together find what this filter finds. Each one uses an index that sorts its matches by time. More
 * indexes, one for every combination of fields, would slow each write more than up to six reads slow a list.
 */
export function listBranches({ spaceId, workflowId, status, trigger }: ListFilter): Filter<ExecutionDoc>[] {
  const base = { spaceId, ...(workflowId && { workflowId }) };
  if (!status && !trigger) return [base];
  const statuses = status ? [status] : EXECUTION_STATUSES;
  const triggers = trigger ? [trigger] : TRIGGER_TYPES;
  return statuses.flatMap(one => triggers.map(type => ({ ...base, status: one, "trigger.type": type })));
}
