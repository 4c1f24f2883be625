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
 * Filters that together find what this filter finds. Each of them uses an index that has its matches in order of time.
 * An index for every combination of fields would cost each write more than up to six reads cost a list.
 */
export function listBranches({ spaceId, workflowId, status, trigger }: ListFilter): Filter<ExecutionDoc>[] {
  const base = { spaceId, ...(workflowId && { workflowId }) };
  if (!status && !trigger) return [base];
  const statuses = status ? [status] : EXECUTION_STATUSES;
  const triggers = trigger ? [trigger] : TRIGGER_TYPES;
  return statuses.flatMap(one => triggers.map(type => ({ ...base, status: one, "trigger.type": type })));
}
