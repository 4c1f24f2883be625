import type { Agent, Dispatcher } from "undici";
import { createGuardedAgent } from "./guarded-agent.ts";
import { type Resolve, systemResolve } from "./guarded-lookup.ts";
import { observedFetch } from "./observed-fetch.ts";
import { OutboundError, refused } from "./outbound-error.ts";
import { plainHeaders, prepareHeaders, redirectedHeaders } from "./outbound-headers.ts";
import { createOutboundPolicy } from "./outbound-policy.ts";
import { sendable } from "./request-body.ts";
import type { GuardedFetch, OutboundAnswer, OutboundHop, OutboundRequest, OutboundStream, SignedHop } from "./port.ts";
import { collect, decodeBody, decodedStream, encodingsOf, ENCODINGS, tooLarge } from "./response-body.ts";
import { startTimeLimit, type TimeLimit } from "./time-limit.ts";

export interface GuardedFetchOptions {
  /** Exceptions to the guard: hosts, `*.host`, addresses and CIDRs. All except CIDRs may have a `:port`. */
  allow: readonly string[];
  /** A custom resolver, for example for tests. */
  resolve?: Resolve;
  /** Maximum number of running calls. Further calls fail with outbound_busy. */
  maxInFlight?: number;
  connectionsPerOrigin?: number;
  maxOrigins?: number;
  connectTimeoutMs?: number;
  idleMs?: number;
}

const METHODS = new Set<string>(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** As many connections to one server as a worker's default capacity, so that concurrent calls of runs do not wait. */
const LIMITS = { connectionsPerOrigin: 64, maxOrigins: 2_000, connectTimeoutMs: 10_000, idleMs: 4_000 };
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_URL = 16 * 1024;
/** Maximum number of 1xx responses before the final one. */
const MAX_INTERIM = 20;

function parseUrl(text: string, base?: URL): URL {
  const by = base ? "redirect" : "caller";
  const url = text.length <= MAX_URL && URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url) throw refused({ rule: "url", says: `"${text.slice(0, 100)}" is not a URL that can be called` }, by);
  return url;
}

const stopping = () => new OutboundError("outbound_aborted", "The service is stopping");

/** Describes a network error without the addresses in its own message. */
function describe(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const word = typeof code === "string" ? code : typeof name === "string" ? name : "unknown";
  if (word === "UND_ERR_MAX_ORIGINS_REACHED")
    return new OutboundError("outbound_busy", "Too many hosts are being called");
  if (word === "UND_ERR_CONNECT_TIMEOUT")
    return new OutboundError("outbound_timeout", `Connecting to ${host} took too long`);
  return new OutboundError("outbound_failed", `The call to ${host} failed (${word})`, { cause: error });
}

/**
 * Yields the same chunks. Abandoning them calls `end`, even if none was read. A generator that never ran would clean up
 * nothing.
 */
function endingWith(chunks: OutboundStream["body"], end: () => void): OutboundStream["body"] {
  const finish = chunks.return.bind(chunks);
  chunks.return = value => {
    end();
    return finish(value);
  };
  return chunks;
}

/** @throws {OutboundError} `outbound_refused` when the signature changes the origin or adds a header that it may not. */
async function signed(
  sign: NonNullable<OutboundRequest["sign"]>,
  hop: OutboundHop,
  limit: TimeLimit,
): Promise<SignedHop> {
  const made = sign(hop);
  const { url, headers } = made instanceof Promise ? await limit.race(made) : made;
  if (url.origin !== hop.url.origin) throw refused({ rule: "url", says: "a signature may not change the host" });
  return { url, headers: prepareHeaders(headers, headers["accept-encoding"] ?? ENCODINGS) };
}

interface Opened {
  response: Dispatcher.ResponseData;
  url: URL;
  method: string;
}

/**
 * Creates the guard for every outgoing call that user input steers: http and https, only to public addresses or to
 * those that `allow` lists. Each connection and redirect is checked again, within limits of time and size.
 * @throws {OutboundAllowError} when an entry of `allow` cannot be read.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { allow, resolve = systemResolve, maxInFlight = 1_000, ...limits } = options;
  const policy = createOutboundPolicy(allow);
  let agent: Agent | undefined;
  let isClosed = false;
  let inFlight = 0;

  /** Created at the first call, because it loads the HTTP client. */
  function openAgent(): Agent {
    if (isClosed) throw stopping();
    return (agent ??= createGuardedAgent({ ...LIMITS, ...limits, policy, resolve }));
  }

  async function call(limit: TimeLimit, url: URL, init: Omit<Dispatcher.RequestOptions, "path">) {
    let interim = 0;
    const response = openAgent().request({
      ...init,
      onInfo() {
        if (++interim > MAX_INTERIM)
          limit.give(new OutboundError("outbound_failed", `${url.host} sends only interim responses and no answer`));
      },
      origin: url.origin,
      path: url.pathname + url.search,
      signal: limit.signal,
    });
    try {
      return await limit.race(response);
    } catch (error) {
      // The response may still arrive when its connection is made late.
      response
        .then(
          late => late.body.destroy(),
          () => undefined,
        )
        .catch(() => undefined);
      throw describe(error, url.host);
    }
  }

  async function open(request: OutboundRequest, limit: TimeLimit, encodings: string): Promise<Opened> {
    const { maxRedirects = 5 } = request;
    let url = parseUrl(request.url);
    let method = (request.method ?? "GET").toUpperCase();
    let { body } = request;
    let headers = prepareHeaders(request.headers ?? {}, encodings);
    if (!METHODS.has(method))
      throw refused({ rule: "method", says: `the method "${method.slice(0, 20)}" may not be used` });

    for (let hops = 0; ; hops++) {
      const refusal = policy.refuseUrl(url);
      if (refusal) throw refused(refusal, hops === 0 ? "caller" : "redirect");
      const sent = request.sign ? await signed(request.sign, { method, url, headers, body }, limit) : { url, headers };
      const response = await call(limit, sent.url, { method, ...sendable(sent.headers, body) });
      const { location } = response.headers;
      const { statusCode } = response;
      if (!REDIRECTS.has(statusCode) || typeof location !== "string" || maxRedirects === 0)
        return { response, url, method };
      // The rest of this response is not needed. A small rest is read, so that the connection can be used again.
      response.body.dump({ limit: 64 * 1024, signal: limit.signal }).catch(() => undefined);
      if (hops >= maxRedirects) throw new OutboundError("outbound_failed", `More than ${maxRedirects} redirects`);
      const target = parseUrl(location, url);
      // As browsers do: a POST becomes a GET on 301 and 302, every method except HEAD on 303.
      const dropsBody = statusCode === 303 ? method !== "HEAD" : statusCode < 303 && method === "POST";
      if (dropsBody) {
        method = "GET";
        body = undefined;
      }
      headers = redirectedHeaders(headers, { crossOrigin: target.origin !== url.origin, dropsBody });
      url = target;
    }
  }

  async function withLimit<T>(request: OutboundRequest, run: (limit: TimeLimit) => Promise<T>): Promise<T> {
    if (inFlight >= maxInFlight) throw new OutboundError("outbound_busy", "Too many calls are in progress: try again");
    inFlight++;
    const limit = startTimeLimit(request.timeoutMs, request.signal);
    try {
      if (limit.signal.aborted) throw limit.signal.reason as OutboundError;
      return await run(limit);
    } finally {
      inFlight--;
      limit.end();
    }
  }

  async function readWhole(request: OutboundRequest, limit: TimeLimit): Promise<OutboundAnswer> {
    const { maxBytes = MAX_BYTES } = request;
    const { response, url, method } = await open(request, limit, ENCODINGS);
    const headers = plainHeaders(response.headers);
    const answer = { status: response.statusCode, headers, url: url.href };
    try {
      if (method !== "HEAD" && Number(headers["content-length"]) > maxBytes) throw tooLarge(maxBytes);
      const raw = await limit.race(collect(response.body, maxBytes));
      const encodings = encodingsOf(headers["content-encoding"]);
      if (raw.length === 0 || encodings.length === 0) return { ...answer, body: raw };
      const body = await limit.race(decodeBody(raw, encodings, maxBytes));
      delete headers["content-encoding"];
      delete headers["content-length"];
      return { ...answer, body };
    } catch (error) {
      response.body.on("error", () => undefined).destroy();
      throw describe(error, url.host);
    }
  }

  async function* read(
    { response, url, method }: Opened,
    encodings: readonly string[],
    maxBytes: number,
    limit: TimeLimit,
  ): OutboundStream["body"] {
    let size = 0;
    try {
      if (method !== "HEAD" && Number(response.headers["content-length"]) > maxBytes) throw tooLarge(maxBytes);
      for await (const chunk of decodedStream(response.body, encodings)) {
        size += chunk.length;
        if (size > maxBytes) throw tooLarge(maxBytes);
        yield chunk;
      }
    } catch (error) {
      throw describe(limit.signal.aborted ? limit.signal.reason : error, url.host);
    }
  }

  return observedFetch({
    fetch: request => withLimit(request, limit => readWhole(request, limit)),
    stream(request) {
      return new Promise((resolve, reject) => {
        const whole = withLimit(request, async limit => {
          const { decode = false, maxBytes = MAX_BYTES } = request;
          const opened = await open(request, limit, decode ? ENCODINGS : "identity");
          const { response, url } = opened;
          const headers = plainHeaders(response.headers);
          const over = new Promise<void>(done => {
            response.body.once("close", done);
            response.body.on("error", () => undefined);
          });
          const encodings = encodingsOf(headers["content-encoding"]);
          if (encodings.length > 0 && !decode) {
            response.body.destroy();
            throw new OutboundError("outbound_failed", "The answer is encoded although no encoding was requested");
          }
          const body = endingWith(read(opened, encodings, maxBytes, limit), () => response.body.destroy());
          if (encodings.length > 0) for (const name of ["content-encoding", "content-length"]) delete headers[name];
          resolve({ status: response.statusCode, headers, url: url.href, body });
          await over;
        });
        whole.catch(reject);
      });
    },
    async close() {
      isClosed = true;
      await agent?.destroy(stopping());
    },
  });
}
