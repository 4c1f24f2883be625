import type { Received } from "./transport.ts";

/** A response: its data, and the facts in its headers. */
export interface Answer<T> {
  data: T;
  status: number;
  headers: Headers;
  /** Identifies the request in the service's logs. */
  requestId: string | undefined;
  /** The version of the resource. Pass it as `ifMatch`. */
  etag: string | undefined;
  /** True if this is the stored response of an earlier request with the same idempotency key. */
  replayed: boolean;
  /** Set by searches: true if the search used keywords only, or not all vectors were available. */
  degraded: boolean;
}

/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** The cursor of the next page; null on the last one. */
  next: string | null;
  /** True if more items may match than `total` says. */
  total?: number;
  /** More items may match than `total` says. */
  totalIsMin?: boolean;
}

/** A call in progress. Awaiting it returns its data. `withResponse` also returns the rest of the response. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Call";
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  /**
   * The data together with the status, the headers and the facts in them, such as `etag`.
   * @throws {WeftError} when the service responds with an error
   * @throws {WeftConnectionError} when no response arrives
   */
  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }

  /** Like `then` of a promise for the data. */
  then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onData, onError);
  }

  /** Like `catch` of a promise. */
  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onError);
  }

  /** Like `finally` of a promise. */
  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd);
  }
}

/**
 * A list. Awaiting it returns its first page. `for await` returns the items of all pages, and requests each page when
 * it is needed.
 */
export class ListCall<T> extends Call<Page<T>> implements AsyncIterable<T> {
  readonly #after: (cursor: string) => Promise<Answer<Page<T>>>;

  constructor(first: Promise<Answer<Page<T>>>, after: (cursor: string) => Promise<Answer<Page<T>>>) {
    super(first);
    this.#after = after;
  }

  /** All pages, starting with the first. Each page is requested when it is needed. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page: Page<T> = await this;
    yield page;
    while (page.next !== null) {
      page = (await this.#after(page.next)).data;
      yield page;
    }
  }

  /** The items of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}

/**
 * The cursor in a Link header (RFC 8288). The rest of the address is ignored, so that no response can redirect the
 * client.
 */
function nextCursor(link: string | null): string | null {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/i.exec(link ?? "") ?? [];
  return target === undefined ? null : new URLSearchParams(target.slice(target.indexOf("?") + 1)).get("cursor");
}

function pageOf(items: unknown[], headers: Headers): Page<unknown> {
  const total = headers.get("x-total-count");
  const counted = total === null ? {} : { total: Number(total), totalIsMin: headers.has("x-total-count-min") };
  return { items, next: nextCursor(headers.get("link")), ...counted };
}

/** In a response to a read, an array is a page of a list. In a response to a POST, it is complete. */
export function answerOf<T>({ response, body }: Received, isRead: boolean): Answer<T> {
  const { status, headers } = response;
  const data = isRead && Array.isArray(body) ? pageOf(body as unknown[], headers) : body;
  return {
    data: data as T,
    status,
    headers,
    requestId: headers.get("x-request-id") ?? undefined,
    etag: headers.get("etag") ?? undefined,
    replayed: headers.get("idempotent-replayed") === "true",
    degraded: headers.get("search-degraded") === "true",
  };
}
