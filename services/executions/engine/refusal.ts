import { InvalidDocumentError } from "../../../adapters/store/errors.ts";
import type { ExecutionError } from "../../../contracts/entities/execution.ts";
import type { Happening } from "../../../core/run/advance.ts";
import type { RunnableWorkflow } from "./definitions.ts";

/** A definition that cannot run fails the run, and nothing else of it happens. */
export function onDefinition({ parsed }: RunnableWorkflow, happenings: Happening[]): Happening[] {
  if (!parsed.faults) return happenings;
  const [first] = parsed.faults;
  const message = `The definition cannot run: ${first?.message ?? ""}`;
  const error: ExecutionError = { code: "invalid_definition", message, faults: parsed.faults };
  return [...happenings.filter(({ kind }) => kind === "begin"), { kind: "fail", error }];
}

/** What the store will never take, however often it is offered, fails the run. */
export function refusalOf(error: unknown): Happening | undefined {
  if (!(error instanceof InvalidDocumentError)) return undefined;
  const message = "What the steps gave together is more than one entry of the journal holds.";
  return { kind: "fail", error: { code: "output_too_large", message } };
}
