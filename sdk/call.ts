import type { Received } from "./transport.ts";

/** An answer: its data, and the facts that its headers state. */
export interface Answer<T> {
  data: T;
  status: number;
  headers: Headers;
  /** The id that finds the request in the service's logs. */
  requestId: string | undefined;
  /** The version of the resource, for `ifMatch`. */
  etag: string | undefined;
  /** The answer is that of an earlier request with the same idempotency key. */
  replayed: boolean;
  /** Set by a search: it used keywords alone, or not all vectors were available. */
  degraded: boolean;
}

/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** The cursor of the next page; null on the last one. */
  next: string | null;
  /** With `count: true`: how many items match on all pages together, up to 10,000. */
  total?: number;
  /** More items may match than `total` says. */
  totalIsMin?: boolean;
}

/** A call that is under way. Awaiting it gives its data, and `withResponse` gives the rest of the answer too. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Call";
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  /**
   * The data together with the status, the headers and the facts that they hold, such as `etag`.
   * @throws {WeftError} when the service answers with an error
   * @throws {WeftConnectionError} when no answer arrives
   */
  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }

  /** As `then` of a promise of the data. */
  then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onData, onError);
  }

  /** As `catch` of a promise. */
  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onError);
  }

  /** As `finally` of a promise. */
  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd);
  }
}

/**
 * A list. Awaiting it gives its first page. `for await` gives the items of all pages and requests each page when it is
 * needed.
 */
export class ListCall<T> extends Call<Page<T>> implements AsyncIterable<T> {
  readonly #after: (cursor: string) => Promise<Answer<Page<T>>>;

  constructor(first: Promise<Answer<Page<T>>>, after: (cursor: string) => Promise<Answer<Page<T>>>) {
    super(first);
    this.#after = after;
  }

  /** All pages, from the first one. Each is requested when it is needed. */
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
 * The cursor in a Link header (RFC 8288). The rest of the address is ignored, so that no answer can redirect the
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

/** An array is a page of a list when it answers a read. An array that answers a POST is complete. */
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
