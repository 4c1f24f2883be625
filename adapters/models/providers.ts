import type { ModelProviderName } from "../../contracts/credentials/model-providers.ts";
import type { ModelServer } from "./model-server.ts";
import { openAiWire } from "./openai-wire.ts";
import { sdkWire } from "./sdk-wire.ts";
import { SDKS, STREAMING } from "./sdk.ts";
import type { Wire } from "./wire.ts";

interface Provider {
  /** The headers with the key. */
  headers(this: void, key: string): Record<string, string>;
  wire(server: ModelServer): Wire;
  /** The path below the address for checking a key. It costs no tokens. */
  probe: string;
  probeHeaders?: Record<string, string>;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** The protocols. Ollama's server also speaks OpenAI's protocol. */
export const PROVIDERS: Readonly<Record<ModelProviderName, Provider>> = {
  openai: { headers: bearer, wire: openAiWire, probe: "/models" },
  anthropic: {
    headers: key => ({ "x-api-key": key }),
    wire: server => sdkWire(server, SDKS.anthropic, STREAMING.anthropic),
    probe: "/models?limit=1000",
    probeHeaders: { "anthropic-version": "2023-06-01" },
  },
  google: {
    headers: key => ({ "x-goog-api-key": key }),
    wire: server => sdkWire(server, SDKS.google, STREAMING.google),
    probe: "/models?pageSize=1000",
  },
  ollama: { headers: bearer, wire: openAiWire, probe: "/models" },
};
