import type { Context, Service, ServiceSchema } from "moleculer";
import { createExpressions, type Expressions } from "../../adapters/expressions/index.ts";
import { createModels, type ModelsOptions } from "../../adapters/models/index.ts";
import { config } from "../../config.ts";
import type { EventOf } from "../../contracts/events.ts";
import { filesMixin, type WithFiles } from "../../service-kit/files.mixin.ts";
import { usageMeterMixin } from "../../service-kit/usage-meter.mixin.ts";
import { chat } from "./chat.ts";
import { ChatFiles } from "./chat-files.ts";
import { describe, embed } from "./embed.ts";
import { OpenCalls } from "./open-calls.ts";
import type { ModelsService } from "./service.ts";

function configured(): Pick<ModelsOptions, "llm" | "embeddings"> {
  const { LLM_BASE_URL, LLM_API_KEY, LLM_MODEL } = config();
  const { EMBEDDINGS_BASE_URL, EMBEDDINGS_API_KEY, EMBEDDINGS_MODEL } = config();
  const server = (baseUrl = "", apiKey?: string, model = "") => (baseUrl ? { baseUrl, apiKey, model } : undefined);
  const local = EMBEDDINGS_MODEL ? { model: EMBEDDINGS_MODEL } : undefined;
  return {
    llm: server(LLM_BASE_URL, LLM_API_KEY, LLM_MODEL),
    embeddings: server(EMBEDDINGS_BASE_URL, EMBEDDINGS_API_KEY, EMBEDDINGS_MODEL) ?? local,
  };
}

/** The service stores nothing. It puts the models that the operator configured behind one port. */
const models: ServiceSchema = {
  name: "models",
  mixins: [usageMeterMixin, filesMixin],
  actions: { embed, describe, chat },
  events: {
    "models.call.cancelled"(this: Service & ModelsService, ctx: Context<EventOf<"models.call.cancelled">>) {
      this.calls.cancel(`${ctx.params.workspaceId} ${ctx.params.callId}`);
    },
  },
  created(this: Service & Partial<WithFiles> & Partial<ModelsService> & { expressions?: Expressions }) {
    // The worker processes start with the first schema that is too expensive for this process.
    const { forms } = (this.expressions = createExpressions());
    this.forms = forms;
    this.calls = new OpenCalls();
    this.chatFiles = new ChatFiles(this.files!);
    this.models = createModels({ ...configured(), check: (schema, data, group) => forms.check(schema, data, group) });
  },
  async stopped(this: Service & Partial<ModelsService> & { expressions?: Expressions }) {
    await Promise.all([this.models?.close(), this.expressions?.close()]);
  },
};

export default models;
