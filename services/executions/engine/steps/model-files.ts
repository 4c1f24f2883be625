import { fileOf } from "../../../../core/run/references.ts";
import { callFailure } from "./call-failure.ts";
import { StepFailure } from "./secrets.ts";
import type { StepContext } from "./step.ts";

/**
 * The ids of files that a step shows to a model. The run holds these files from now on, except in a test of a step.
 * @throws {StepFailure} invalid_data when the workspace lacks one of them
 * @throws {AppError} unavailable
 */
export async function shownFiles(
  files: readonly unknown[],
  { doc, parts, dry }: StepContext,
  path = "/data/files",
): Promise<string[]> {
  const ids = files.flatMap(file => fileOf(file) ?? []);
  if (ids.length === 0 || dry) return [...new Set(ids)];
  const held = await parts.values.files
    .hold(doc.workspaceId, ids, `execution:${doc.id}`)
    .catch((error: unknown): never => {
      const { code, message, retryable } = callFailure(error, "The service of files");
      throw new StepFailure(code, message, retryable);
    });
  const missing = ids.findIndex(id => !held.includes(id));
  if (missing >= 0) throw new StepFailure("invalid_data", `${path}/${missing}: the file does not exist.`);
  return held;
}
