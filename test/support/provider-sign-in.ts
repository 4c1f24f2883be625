import { type Answer, Api, type Json } from "./api.ts";
import type { Claims, HostileProvider } from "./hostile-provider.ts";

const ROUTE = "/v1/auth/browser/sso";

/** The web page's calls for a sign-in through a provider. */
export function providerSignIn(url: string) {
  const own = { origin: url, "weft-console": "1" };
  const api = new Api(url);
  const begin = (provider: string, more: Json = {}): Promise<Answer> =>
    api.post(ROUTE, { provider, ...(more as object) }, own);
  const finish = (provider: string, attempt: string, query: string): Promise<Answer> =>
    api.post(`${ROUTE}/finish`, { provider, attempt, query }, own);

  /** Signs in through a provider that has no page. */
  async function by(
    id: string,
    provider: HostileProvider,
    person: Claims,
    told: Parameters<HostileProvider["answer"]>[2] = {},
    more: Json = {},
  ): Promise<Answer> {
    const { status, body } = await begin(id, more);
    if (status !== 200) throw new Error(`Beginning answered ${status}: ${JSON.stringify(body)}`);
    return finish(id, body.attempt as string, provider.answer(body.url as string, person, told).toString());
  }
  return { begin, finish, by };
}
