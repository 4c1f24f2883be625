import { PROVIDERS } from "../../adapters/models/providers.ts";
import { OutboundError } from "../../adapters/net/outbound-error.ts";
import type { GuardedFetch } from "../../adapters/net/port.ts";
import { modelAddress, providerOf } from "../../contracts/credentials/model-providers.ts";
import type { OpenedCredential } from "../../contracts/credentials/opened.ts";
import { type CredentialData, secretValues } from "../../contracts/credentials/types.ts";
import type { OutputOf } from "../../contracts/actions.ts";
import { clip } from "../../core/clip.ts";
import { isAllowedHost } from "../../core/credentials/allowed-host.ts";
import { maskerOf } from "../../core/credentials/mask.ts";

const TEST_MS = 15_000;
/** Some servers list hundreds of models. */
const MAX_BYTES = 4 * 1_048_576;
const MAX_BODY_CHARS = 2_000;

/** The names of the models in a list, in any provider's form. Undefined for everything else. */
function modelsIn(text: string): string[] | undefined {
  try {
    const { data, models } = JSON.parse(text) as { data?: unknown; models?: unknown };
    const list = data ?? models;
    if (!Array.isArray(list)) return undefined;
    return (list as ({ id?: unknown; name?: unknown } | null)[]).map(one =>
      String(one?.id ?? one?.name).replace(/^models\//, ""),
    );
  } catch {
    return undefined;
  }
}

/** What a response shows about the credential. */
function judge(status: number, text: string, model: string | undefined): { ok: boolean; message: string } {
  const message = `The model's server answered ${status}.`;
  if (status < 200 || status > 299) return { ok: false, message };
  const models = modelsIn(text);
  if (!models) return { ok: false, message: `${message} The answer is not a list of models: check the address.` };
  const isListed = model === undefined || models.includes(model.replace(/^models\//, ""));
  // Some servers have models that they do not list, such as aliases of the newest version.
  return { ok: true, message: isListed ? message : `${message} It does not list the model "${model}".` };
}

/**
 * Requests the list of models from a model's server, which costs no tokens.
 * @throws {OutboundError} when the server cannot be reached; the message does not contain the key
 */
export async function testModel(
  net: GuardedFetch,
  { type, data, hosts }: OpenedCredential,
): Promise<OutputOf<"credentials.test">> {
  const given = data as CredentialData<"model">;
  const { probe, probeHeaders, headers } = PROVIDERS[providerOf(given)];
  const mask = maskerOf(secretValues(type, data));
  try {
    const answer = await net.fetch({
      url: modelAddress(given) + probe,
      timeoutMs: TEST_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      sign({ url, headers: own }) {
        if (!isAllowedHost(hosts, url))
          throw new OutboundError("outbound_refused", `The credential may not be sent to ${url.host}`);
        const key = given.apiKey === undefined ? {} : headers(given.apiKey);
        return { url, headers: { ...own, ...probeHeaders, ...key } };
      },
    });
    const { status } = answer;
    const text = Buffer.from(answer.body).toString();
    return { ...judge(status, text, given.model), status, body: clip(mask(text), MAX_BODY_CHARS) };
  } catch (error) {
    if (error instanceof OutboundError) throw new OutboundError(error.code, mask(error.message));
    throw error;
  }
}
