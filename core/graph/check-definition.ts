import type { DefinitionFault } from "../../contracts/entities/workflow.ts";
import type { Fault } from "../../contracts/errors.ts";
import { parseDefinition } from "./parse-definition.ts";

/**
 * What would fail if this definition ran, and what a run would pass over; nothing when it can run and all of it means
 * something.
 */
export function checkDefinition(definition: unknown): DefinitionFault[] {
  return parseDefinition(definition, { strict: true }).faults ?? [];
}

/** The faults as errors of a request that is about the workflow: their paths begin at it. */
export const definitionErrors = (faults: readonly DefinitionFault[]): Fault[] =>
  faults.map(({ nodeId, path, message }) => ({
    path: `/definition${path}`,
    message,
    ...(nodeId !== null && { nodeId }),
  }));
