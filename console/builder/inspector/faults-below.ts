import type { Faults } from "../../forms/check.ts";
import type { NodeFault } from "../builder-context.tsx";

/** The faults in a part of a step, by JSON Pointer within this part. */
export function faultsBelow(faults: readonly NodeFault[] | undefined, part: string): Faults {
  const own = (faults ?? []).filter(({ path }) => path === part || path.startsWith(`${part}/`));
  return new Map(own.map(({ path, message }) => [path.slice(part.length), message]));
}
