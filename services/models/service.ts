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
  /** What the operator configured. */
  models: Models;
  /** What workspaces bring. */
  own: OwnModels;
  transit: CredentialTransit;
  calls: OpenCalls;
  chatFiles: ChatFiles;
  forms: Pick<Forms, "prove" | "check">;
}

/** Aborted when the caller of an action stops waiting, so that its slot at the model becomes free. */
export function deadlineOf({ options: { timeout } }: { options: CallingOptions }): AbortSignal | undefined {
  return timeout ? AbortSignal.timeout(timeout) : undefined;
}

/** Waits for a model. A failure becomes an error that keeps its code on the way to another node. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { code, message: detail, retryAfterSeconds } = error;
    throw new AppError(code === "model_aborted" ? "model_unavailable" : code, { detail, retryAfterSeconds });
  }
}
