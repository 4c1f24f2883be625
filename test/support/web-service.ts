type Reply = Response | Error | ((signal: AbortSignal) => Promise<Response>);

export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export const jsonReply = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(body === undefined ? null : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

export const problemReply = (status: number, code: string, headers: Record<string, string> = {}) =>
  jsonReply({ status, code, title: code, detail: `It is ${code}.`, requestId: "r-1" }, status, headers);

/** Never responds. Rejects like fetch when its signal is aborted. */
export const neverResponds: Reply = signal =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));

/** A `fetch` with these responses, one per request. It records the requests. */
export function webService(...replies: Reply[]) {
  const sent: SentRequest[] = [];
  const fetch = (url: string, { method = "GET", headers, body, signal }: RequestInit): Promise<Response> => {
    sent.push({
      method,
      url,
      headers: Object.fromEntries(headers as Headers),
      body: typeof body === "string" ? body : undefined,
    });
    const reply = replies.shift();
    if (reply === undefined) throw new Error(`Not expected: ${method} ${url}`);
    if (reply instanceof Error) return Promise.reject(reply);
    return typeof reply === "function" ? reply(signal as AbortSignal) : Promise.resolve(reply);
  };
  return { sent, fetch: fetch as typeof globalThis.fetch };
}
