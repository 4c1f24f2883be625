import type { CheckedFault, DefinitionFault } from "../../contracts/entities/workflow.ts";
import type { Fault } from "../../contracts/errors.ts";
import { parseDefinition } from "./parse-definition.ts";
import type { KnownNames } from "./strict.ts";

type Severity = CheckedFault["severity"];

const rated = (faults: readonly DefinitionFault[], severity: Severity): CheckedFault[] =>
  faults.map(fault => ({ ...fault, severity }));

/**
 * Errors are faults that would make a run of this definition fail, and parts that a run would ignore. A definition
 * without errors may have warnings of what is more likely a mistake than meant. `known` is what is known of its
 * space.
 */
export function checkDefinition(definition: unknown, known?: KnownNames): CheckedFault[] {
  const { faults, ...read } = parseDefinition(definition, { strict: true, ...known });
  return faults ? rated(faults, "error") : rated("warnings" in read ? read.warnings : [], "warning");
}

/** Those of the faults that keep a definition from being deployed. */
export const errorsIn = (faults: readonly CheckedFault[]): CheckedFault[] =>
  faults.filter(({ severity }) => severity === "error");

/** The most warnings of one deployed version that are shown. */
const MAX_SHOWN = 20;

/**
 * What today's rules would refuse in a definition that is deployed and runs on: warnings, since only a new version is
 * refused.
 */
export const deployedWarnings = (definition: unknown): CheckedFault[] =>
  rated(errorsIn(checkDefinition(definition)).slice(0, MAX_SHOWN), "warning");

/** The faults as errors of a request about the workflow. Their paths begin at the workflow. */
export const definitionErrors = (faults: readonly DefinitionFault[]): Fault[] =>
  faults.map(({ nodeId, path, message }) => ({
    path: `/definition${path}`,
    message,
    ...(nodeId !== null && { nodeId }),
  }));
