import type { CallingOptions } from "moleculer";
import type { Forms } from "../../adapters/expressions/forms.ts";
import { ModelError, type Models } from "../../adapters/models/index.ts";
import { AppError } from "../../contracts/errors.ts";
import type { OwnModels } from "../../adapters/models/own-models.ts";
import type { CredentialTransit } from "../../service-kit/credential-transit.ts";
import type { ChatFiles } from "./chat-files.ts";
import type { WithUsageMeter } from "../../service-kit/usage-meter.mixin.ts";
import type { OpenCalls } from "./open-calls.ts";

/** What the actions of this service use. */
export interface ModelsService extends WithUsageMeter {
  /** The models that the operator configured. */
  models: Models;
  /** The models of the workspaces' own providers. */
  own: OwnModels;
  transit: CredentialTransit;
  calls: OpenCalls;
  chatFiles: ChatFiles;
  forms: Pick<Forms, "prove" | "check">;
}

/** A signal that aborts when the caller of an action stops waiting, so that its slot at the model becomes free. */
export function deadlineOf({ options: { timeout } }: { options: CallingOptions }): AbortSignal | undefined {
  return timeout ? AbortSignal.timeout(timeout) : undefined;
}

/** Waits for a model. Converts a failure into an error that keeps its code between nodes. */
export async function awaitModel<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { code, message: detail, retryAfterSeconds } = error;
    throw new AppError(code === "model_aborted" ? "model_unavailable" : code, { detail, retryAfterSeconds });
  }
}
