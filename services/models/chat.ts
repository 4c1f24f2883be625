import { CHAT_MS } from "../../adapters/models/index.ts";
import { type ActionContext, handle, hint } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { ownModel } from "./own-model.ts";
import { awaitModel, deadlineOf, type ModelsService } from "./service.ts";
import { TextBatcher } from "./text-batcher.ts";

/** Time for two requests, because a response that does not match its schema is requested once more. */
const TIMEOUT_MS = 2 * CHAT_MS + 5_000;

/** Sends the text that the model writes to the node that asked for it. */
const tellsWords = ({ broker, nodeID }: ActionContext<"models.chat">, workspaceId: string, callId: string) =>
  new TextBatcher((at, words) => {
    if (nodeID !== null) hint(broker, [nodeID], "models.call.words", { workspaceId, callId, at, words });
  });

export const chat = handle<"models.chat", ModelsService>(
  "models.chat",
  async function (ctx) {
    const { workspaceId: group, credential, messages, words: isHeard, ...request } = ctx.params;
    const model = credential ? await ownModel(this, ctx, credential) : this.models.chat;
    if (!model) throw new AppError("no_model_configured", { detail: "Set LLM_BASE_URL and LLM_MODEL." });
    if (request.schema && request.tools?.length)
      throw new AppError("validation_failed", {
        errors: [{ path: "/tools", message: "Give either `schema` or `tools`, not both" }],
      });
    if (request.schema) {
      const { broken } = await this.forms.prove(request.schema, group ?? "");
      if (broken !== undefined) {
        throw new AppError("validation_failed", { errors: [{ path: "/schema", message: broken }] });
      }
    }
    const { callId } = ctx.meta;
    const key = callId === undefined ? undefined : `${group} ${callId}`;
    const words = isHeard && group !== undefined && callId !== undefined ? tellsWords(ctx, group, callId) : undefined;
    const onWords = words && ((at: number, text: string) => words.add(at, text));
    const answer = await this.calls
      .run(key, deadlineOf(ctx), signal =>
        awaitModel(
          this.chatFiles.run(group, messages, signal, shown =>
            model.chat({ ...request, messages: shown, group, signal, onWords }),
          ),
        ),
      )
      .finally(() => words?.end());
    const { inputTokens, outputTokens } = answer.usage;
    // Calls of a workspace's own provider cost the operator nothing, so they do not count towards the quota.
    const used = inputTokens + outputTokens;
    if (group !== undefined) this.usage.add(group, credential ? { ownModelTokens: used } : { modelTokens: used });
    return answer;
  },
  { timeout: TIMEOUT_MS, outside: true },
);
