/** A provider of language models, as credentials name it. */
export interface ModelProvider {
  /** The address of the provider's own service; undefined where people run the server themselves. */
  baseUrl?: string;
  /** The path of an address that is named without one. */
  path?: string;
  /** The provider requires a key. */
  needsKey?: boolean;
}

const PROVIDERS = {
  openai: { baseUrl: "https://api.openai.com/v1" },
  anthropic: { baseUrl: "https://api.anthropic.com/v1", path: "/v1", needsKey: true },
  google: { baseUrl: "https://generativelanguage.googleapis.com/v1beta", path: "/v1beta", needsKey: true },
  ollama: { path: "/v1" },
} as const satisfies Record<string, ModelProvider>;

export type ModelProviderName = keyof typeof PROVIDERS;
export const MODEL_PROVIDERS: Readonly<Record<ModelProviderName, ModelProvider>> = PROVIDERS;
export const MODEL_PROVIDER_NAMES = Object.keys(PROVIDERS) as [ModelProviderName, ...ModelProviderName[]];

/** A credential that was stored before there were providers names none. */
const OLD: ModelProviderName = "openai";

export const providerOf = ({ provider = OLD }: { provider?: ModelProviderName | undefined }) => provider;

/** The address of a provider's server, without a slash at the end. Empty where none is named and none is usual. */
export function modelAddress(data: { provider?: ModelProviderName | undefined; baseUrl?: string | undefined }): string {
  const { baseUrl: usual = "", path = "" } = MODEL_PROVIDERS[providerOf(data)];
  const address = (data.baseUrl ?? usual).replace(/\/+$/, "");
  return URL.parse(address)?.pathname === "/" ? address + path : address;
}
