import { ExpressionError } from "../../../adapters/expressions/index.ts";
import { AppError } from "../../../contracts/errors.ts";
import type { FormCheck } from "../../../core/forms/check-form.ts";
import type { InputSchema } from "../../../core/graph/input-schema.ts";
import { isTooLarge, MAX_OUTPUT_CHARS } from "../../../core/run/step-limits.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

const busy = (error: unknown): never => {
  throw error instanceof ExpressionError ? new AppError("unavailable", { detail: error.message }) : error;
};

/** The faults of data under a form or JSON Schema. @throws {AppError} unavailable when too many checks wait */
export async function checkData(
  { expressions }: ExecutionsService,
  workspaceId: string,
  schema: unknown,
  data: unknown,
): Promise<FormCheck> {
  const check = expressions.forms.check(schema, data, workspaceId);
  return check instanceof Promise ? check.catch(busy) : check;
}

/** @throws {AppError} payload_too_large when the data exceeds the limit for the output of a step */
export function refuseLarge(data: unknown): void {
  if (!isTooLarge(data)) return;
  const detail = `The data is larger than ${MAX_OUTPUT_CHARS / 1_024} KiB, the limit for the output of a step.`;
  throw new AppError("payload_too_large", { detail });
}

/** The paths of a check begin with `data`; here the data is the input. */
const named = (path: string) => path.replace(/^\/data/, "/input");

function refuse({ broken, faults }: FormCheck): void {
  if (broken !== undefined) {
    throw new AppError("validation_failed", { detail: `The input schema of the workflow is not valid: ${broken}` });
  }
  if (faults.length === 0) return;
  const errors = faults.map(({ path, message }) => ({ path: named(path), message }));
  throw new AppError("validation_failed", {
    detail: "The input does not match the input schema of the workflow.",
    errors,
  });
}

/**
 * Checks an input against the schema that this version of a workflow states for it, if any.
 * @throws {AppError} validation_failed with the path of each fault from `/input` on, or unavailable
 */
export async function checkInput(
  service: ExecutionsService,
  { workspaceId, workflowId, workflowVersion }: { workspaceId: string; workflowId: string; workflowVersion: number },
  input: unknown,
): Promise<void> {
  const { parsed } = await service.engine.definitions.get(workspaceId, workflowId, workflowVersion);
  await checkAgainst(service, workspaceId, parsed.graph?.settings.inputSchema, input);
}

/** Like `checkInput`, but with the given schema. */
export async function checkAgainst(
  service: ExecutionsService,
  workspaceId: string,
  schema: InputSchema | undefined,
  input: unknown,
): Promise<void> {
  if (schema) refuse(await checkData(service, workspaceId, schema, input));
}
