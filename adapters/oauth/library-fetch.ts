import type { GuardedFetch } from "../net/port.ts";

export type Fetch = GuardedFetch["fetch"];

/** The time limit of one request to an authorization server. */
export const REQUEST_MS = 10_000;
const MAX_BYTES = 65_536;
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

interface Init {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** The guarded fetch in the form that `oauth4webapi` calls. `change` modifies the text of an answer. */
export function libraryFetch(
  fetch: Fetch,
  { change = text => text, maxBytes = MAX_BYTES }: { change?: (text: string) => string; maxBytes?: number } = {},
) {
  return async (url: string, { method, headers: given, body }: Init): Promise<Response> => {
    const answer = await fetch({
      url,
      method,
      headers: given,
      body: body ? (body as { toString(): string }).toString() : undefined,
      timeoutMs: REQUEST_MS,
      maxBytes,
      maxRedirects: 0,
    });
    const headers: Record<string, string> = { "content-type": answer.headers["content-type"] ?? "application/json" };
    if (answer.headers["www-authenticate"]) headers["www-authenticate"] = answer.headers["www-authenticate"];
    const text = WITHOUT_BODY.includes(answer.status) ? null : change(Buffer.from(answer.body).toString());
    return new Response(text, { status: answer.status, headers });
  };
}
