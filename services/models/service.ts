import type { CallingOptions } from "moleculer";
import type { Forms } from "../../adapters/expressions/forms.ts";
import { ModelError, type Models } from "../../adapters/models/index.ts";
import { AppError } from "../../contracts/errors.ts";
import type { OpenCalls } from "./open-calls.ts";

/** What the actions of this service find on it. */
export interface ModelsService {
  models: Models;
  calls: OpenCalls;
  forms: Pick<Forms, "prove" | "check">;
}

/** Aborted once the caller of an action waits no more: the place at the model goes to somebody who does. */
export function deadlineOf({ options: { timeout } }: { options: CallingOptions }): AbortSignal | undefined {
  return timeout ? AbortSignal.timeout(timeout) : undefined;
}

/** Waits for a model; where it fails, rejects with an error that survives the way to another node. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { code, message: detail, retryAfterSeconds } = error;
    throw new AppError(code === "model_aborted" ? "model_unavailable" : code, { detail, retryAfterSeconds });
  }
}
