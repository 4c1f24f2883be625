import type { CheckedFault, DefinitionFault } from "../../contracts/entities/workflow.ts";
import type { Fault } from "../../contracts/errors.ts";
import { parseDefinition } from "./parse-definition.ts";
import type { KnownNames } from "./strict.ts";

type Severity = CheckedFault["severity"];

const rated = (faults: readonly DefinitionFault[], severity: Severity): CheckedFault[] =>
  faults.map(fault => ({ ...fault, severity }));

/**
 * Checks a definition. Errors are faults that would make a run fail, and parts that a run would ignore. Warnings are
 * probable mistakes. `known` is what is known about the definition's space.
 */
export function checkDefinition(definition: unknown, known?: KnownNames): CheckedFault[] {
  const { faults, ...read } = parseDefinition(definition, { strict: true, ...known });
  return faults ? rated(faults, "error") : rated("warnings" in read ? read.warnings : [], "warning");
}

/** The faults that prevent a deployment. */
export const errorsIn = (faults: readonly CheckedFault[]): CheckedFault[] =>
  faults.filter(({ severity }) => severity === "error");

/** The most warnings that are shown for one deployed version. */
const MAX_SHOWN = 20;

/**
 * Faults that today's rules find in a deployed definition, which keeps running. They are warnings, because only new
 * versions are refused.
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
