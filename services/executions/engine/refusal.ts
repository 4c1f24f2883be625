import { InvalidDocumentError } from "../../../adapters/store/errors.ts";
import type { ExecutionError } from "../../../contracts/entities/execution.ts";
import type { RunInput } from "../../../core/run/advance.ts";
import { NewerEntryError } from "../../../core/run/newer-entry.ts";
import { Executions, type ExecutionDoc } from "../store/model.ts";
import type { RunnableWorkflow } from "./workflow-cache.ts";
import type { EngineParts } from "./parts.ts";

/** Any worker may look again after this time at an execution that only newer workers understand. */
const NEWER_MS = 5_000;

/** Where a fault is, in the words of the builder. People know the field of a step, and not its place in the document. */
function placeOf({ nodeId, path }: { nodeId: string | null; path: string }): string {
  if (!nodeId) return path;
  const field = path.replace(/^\/nodes\/\d+(?:\/data)?\/?/, "");
  return field === "" ? `Step \`${nodeId}\`` : `Step \`${nodeId}\`, field \`${field}\``;
}

/**
 * Replaces the inputs of a run whose definition cannot run. Only `begin` remains, followed by the failure of the run.
 */
export function inputsIfRunnable({ parsed }: RunnableWorkflow, inputs: RunInput[]): RunInput[] {
  if (!parsed.faults) return inputs;
  const [first] = parsed.faults;
  const message = `The definition cannot run. ${first ? `${placeOf(first)}: ${first.message}` : ""}`.trim();
  const error: ExecutionError = { code: "invalid_definition", message, faults: parsed.faults };
  return [...inputs.filter(({ kind }) => kind === "begin"), { kind: "fail", error }];
}

/** The failure of a run whose append the store will never accept. Undefined for other errors, which are retried. */
export function refusalOf(error: unknown): RunInput | undefined {
  if (!(error instanceof InvalidDocumentError)) return undefined;
  const message = "The outputs of the steps are together too large for one journal entry.";
  return { kind: "fail", error: { code: "output_too_large", message } };
}

/**
 * Leaves an execution to newer workers if its journal contains entries that only they understand. Returns whether it
 * did.
 */
export async function leaveToNewer(
  { store, workerId, warn }: EngineParts,
  { id, workspaceId }: ExecutionDoc,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof NewerEntryError)) return false;
  warn("An execution is left to newer workers.", error);
  const later = { $set: { wakeAt: new Date(Date.now() + NEWER_MS) }, $unset: { workerId: 1 as const } };
  const left = store.tenant(Executions, workspaceId).updateOne({ id, workerId }, later);
  return left.then(
    () => true,
    () => false,
  );
}
