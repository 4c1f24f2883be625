import type { Context, Service, ServiceSchema } from "moleculer";
import { createExpressions, type Expressions } from "../../adapters/expressions/index.ts";
import { createModels, type ModelsOptions } from "../../adapters/models/index.ts";
import type { CheckJson } from "../../adapters/models/chat-model.ts";
import { OwnModels } from "../../adapters/models/own-models.ts";
import { createGuardedFetch } from "../../adapters/net/guarded-fetch.ts";
import type { GuardedFetch } from "../../adapters/net/port.ts";
import { config } from "../../config.ts";
import type { EventOf } from "../../contracts/events.ts";
import { CredentialTransit } from "../../service-kit/credential-transit.ts";
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

type Self = Service & Partial<WithFiles> & Partial<ModelsService> & { expressions?: Expressions; net?: GuardedFetch };

/** The service stores nothing. It offers the operator's models and the workspaces' own models through one port. */
const models: ServiceSchema = {
  name: "models",
  mixins: [usageMeterMixin, filesMixin],
  actions: { embed, describe, chat },
  events: {
    "models.call.cancelled"(this: Service & ModelsService, ctx: Context<EventOf<"models.call.cancelled">>) {
      this.calls.cancel(`${ctx.params.workspaceId} ${ctx.params.callId}`);
    },
  },
  created(this: Self) {
    // The worker processes start with the first schema that is too expensive for this process.
    const { forms } = (this.expressions = createExpressions());
    this.forms = forms;
    this.calls = new OpenCalls();
    this.chatFiles = new ChatFiles(this.files!);
    const check: CheckJson = (schema, data, group) => forms.check(schema, data, group);
    this.models = createModels({ ...configured(), check });
    this.net = createGuardedFetch({ allow: config().OUTBOUND_ALLOW });
    this.own = new OwnModels({
      ...{ fetch: request => this.net!.fetch(request), stream: request => this.net!.stream(request) },
      check,
    });
    this.transit = new CredentialTransit();
  },
  async stopped(this: Self) {
    await Promise.all([this.models?.close(), this.own?.close(), this.net?.close(), this.expressions?.close()]);
  },
};

export default models;
