export interface OutboundRequest {
  url: string;
  /** GET unless said otherwise. */
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: string | Uint8Array | undefined;
  /** Ends the call at once, with outbound_aborted. */
  signal?: AbortSignal | undefined;
  /** For everything: resolving, connecting, redirects, headers and body. */
  timeoutMs: number;
  /** Of the body, decoded; 5 MiB unless said otherwise. */
  maxBytes?: number | undefined;
  /** 5 unless said otherwise; with 0 a redirect is given back as it is. */
  maxRedirects?: number | undefined;
}

interface Answer<Body> {
  status: number;
  /** Names in lower case; Content-Encoding and Content-Length are gone where the body was decoded. */
  headers: Record<string, string>;
  body: Body;
  /** Where the answer came from, after redirects. */
  url: string;
}
export type OutboundAnswer = Answer<Uint8Array>;
/** Its body must be read to the end or given up (`return`, as leaving a for-await does); the time limit goes on. */
export type OutboundStream = Answer<AsyncGenerator<Uint8Array, void, undefined>>;

export interface GuardedFetch {
  /** Calls and reads the whole answer, decoded. Rejects with OutboundError, never with anything else. */
  fetch(request: OutboundRequest): Promise<OutboundAnswer>;
  /** The same, with the body as it arrives (event streams). Encodings are neither asked for nor understood. */
  stream(request: OutboundRequest): Promise<OutboundStream>;
  /** Ends all connections and what runs over them. */
  close(): Promise<void>;
}
