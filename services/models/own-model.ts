import type { ChatModel } from "../../adapters/models/index.ts";
import { type ActionContext, call } from "../../contracts/call.ts";
import { modelName } from "../../contracts/credentials/fields.ts";
import { AppError } from "../../contracts/errors.ts";
import type { ModelsService } from "./service.ts";

const refuse = (path: string, message: string) => new AppError("validation_failed", { errors: [{ path, message }] });

/**
 * The model of the workspace's own provider, according to a credential.
 * @throws {AppError} validation_failed when the credential has another type or no model is named; the errors of
 * `credentials.open`
 */
export async function ownModel(
  { own, transit }: ModelsService,
  ctx: ActionContext<"models.chat">,
  { id, spaceId }: { id: string; spaceId?: string | undefined },
): Promise<ChatModel> {
  const { workspaceId, model } = ctx.params;
  if (workspaceId === undefined) throw refuse("/credential", "Credentials belong to a workspace");
  const opened = transit.unpack(await call(ctx, "credentials.open", { workspaceId, spaceId, id }));
  if (opened.type !== "model")
    throw refuse("/credential", `Expected a credential of the type model, not ${opened.type}`);
  const chat = own.of(workspaceId, opened);
  if ((model ?? chat.id) === "") throw refuse("/model", "Required, because the credential names no model");
  if (!modelName.safeParse(model ?? chat.id).success) throw refuse("/model", "Expected the name of a model");
  return chat;
}
