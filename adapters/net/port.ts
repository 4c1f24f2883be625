/** A body that is not held in memory. It is opened again for each request of a call. */
export interface LongBody {
  /** In bytes. */
  size: number;
  /** In hexadecimal, if it is known. */
  sha256?: string | undefined;
  open(): AsyncIterable<Uint8Array>;
}

export type OutboundBody = string | Uint8Array | LongBody;

/** One request of a call: the first one, or one after a redirect. */
export interface OutboundHop {
  method: string;
  url: URL;
  /** With names in lower case. */
  headers: Record<string, string>;
  body: OutboundBody | undefined;
}

export type SignedHop = Pick<OutboundHop, "url" | "headers">;

export interface OutboundRequest {
  url: string;
  /** Defaults to GET. */
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: OutboundBody | undefined;
  /** Ends the call immediately, with outbound_aborted. */
  signal?: AbortSignal | undefined;
  /** The time limit for everything: resolving, connecting, redirects, headers and body. */
  timeoutMs: number;
  /** The size limit of the decoded body. Defaults to 5 MiB. */
  maxBytes?: number | undefined;
  /**
   * Signs each request of the call just before it is sent, including requests after redirects. Returns its address on
   * the same origin, and its headers. Added headers are not passed on to the next request. An error of `sign` ends the
   * call before it is sent.
   */
  sign?: ((hop: OutboundHop) => SignedHop | Promise<SignedHop>) | undefined;
  /** Defaults to 5. With 0, a redirect is returned as a response. */
  maxRedirects?: number | undefined;
}

interface Answer<Body> {
  status: number;
  /** Names are in lower case. Content-Encoding and Content-Length are absent when the body was decoded. */
  headers: Record<string, string>;
  body: Body;
  /** The URL that answered, after redirects. */
  url: string;
}
export type OutboundAnswer = Answer<Uint8Array>;
/**
 * The caller must read the body to the end or abandon it (`return`, as leaving a for-await does). The time limit
 * continues meanwhile.
 */
export type OutboundStream = Answer<AsyncGenerator<Uint8Array, void, undefined>>;

export interface GuardedFetch {
  /**
   * Makes a call and reads the whole answer, decoded.
   * @throws {OutboundError} when the call fails, and no other error except those of `sign`.
   */
  fetch(request: OutboundRequest): Promise<OutboundAnswer>;
  /**
   * Like `fetch`, but the body is streamed as it arrives. Encodings are neither requested nor decoded (event streams),
   * unless `decode` is set.
   */
  stream(request: OutboundRequest & { decode?: boolean }): Promise<OutboundStream>;
  /** Ends all connections and their calls. */
  close(): Promise<void>;
}
