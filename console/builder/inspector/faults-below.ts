import type { Faults } from "../../forms/check.ts";
import type { NodeFault } from "../builder-context.tsx";

/** The faults below a part of a step, by their pointers within it. */
export function faultsBelow(faults: readonly NodeFault[] | undefined, part: string): Faults {
  const own = (faults ?? []).filter(({ path }) => path === part || path.startsWith(`${part}/`));
  return new Map(own.map(({ path, message }) => [path.slice(part.length), message]));
}
