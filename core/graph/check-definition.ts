import type { DefinitionFault } from "../../contracts/entities/workflow.ts";
import type { Fault } from "../../contracts/errors.ts";
import { parseDefinition } from "./parse-definition.ts";

/**
 * The faults that would make a run of this definition fail, and the parts that a run would ignore. Empty when the
 * definition can run and all of it has a meaning. `vars` are the variables of the space, where they are known.
 */
export function checkDefinition(definition: unknown, vars?: ReadonlySet<string>): DefinitionFault[] {
  return parseDefinition(definition, { strict: true, vars }).faults ?? [];
}

/** The faults as errors of a request about the workflow. Their paths begin at the workflow. */
export const definitionErrors = (faults: readonly DefinitionFault[]): Fault[] =>
  faults.map(({ nodeId, path, message }) => ({
    path: `/definition${path}`,
    message,
    ...(nodeId !== null && { nodeId }),
  }));
