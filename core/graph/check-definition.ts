import type { DefinitionFault } from "../../contracts/entities/workflow.ts";
import { parseDefinition } from "./parse-definition.ts";

/** What would fail if this definition ran; nothing when it can run. The run itself uses the same check. */
export function checkDefinition(definition: unknown): DefinitionFault[] {
  return parseDefinition(definition).faults ?? [];
}
