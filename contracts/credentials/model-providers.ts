/** A provider of language models for credentials. */
export interface ModelProvider {
  /** The address of the provider's own service; undefined if people run the server themselves. */
  baseUrl?: string;
  /** The path to add to an address that has none. */
  path?: string;
  /** True if the provider requires a key. */
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

/** Credentials that were stored before providers existed name none. */
const OLD: ModelProviderName = "openai";

export const providerOf = ({ provider = OLD }: { provider?: ModelProviderName | undefined }) => provider;

/**
 * The address of a provider's server, without a trailing slash. Empty if the data names none and the provider has no
 * default.
 */
export function modelAddress(data: { provider?: ModelProviderName | undefined; baseUrl?: string | undefined }): string {
  const { baseUrl: usual = "", path = "" } = MODEL_PROVIDERS[providerOf(data)];
  const address = (data.baseUrl ?? usual).replace(/\/+$/, "");
  return URL.parse(address)?.pathname === "/" ? address + path : address;
}
