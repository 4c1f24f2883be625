import type { Received } from "./transport.ts";

/** An answer with what came beside its data. */
export interface Answer<T> {
  data: T;
  status: number;
  headers: Headers;
  /** What finds the request in the service's logs. */
  requestId: string | undefined;
  /** Names this state of the resource, for `ifMatch`. */
  etag: string | undefined;
  /** An earlier request with the same idempotency key did it; this is its answer. */
  replayed: boolean;
  /** Of a search: words alone were looked up, or not all vectors. */
  degraded: boolean;
}

export interface Page<T> {
  items: T[];
  /** The cursor of the next page; null on the last one. */
  next: string | null;
}

/** What a call gives when it is awaited; `withResponse` gives the rest of the answer too. It is on its way already. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Call";
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }

  then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onData, onError);
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.then().finally(onEnd);
  }
}

/** A list. Awaited it gives its first page; `for await` gives the items of all pages, each asked for when it is needed. */
export class ListCall<T> extends Call<Page<T>> implements AsyncIterable<T> {
  readonly #after: (cursor: string) => Promise<Answer<Page<T>>>;

  constructor(first: Promise<Answer<Page<T>>>, after: (cursor: string) => Promise<Answer<Page<T>>>) {
    super(first);
    this.#after = after;
  }

  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let page: Page<T> = await this;
    yield page;
    while (page.next !== null) {
      page = (await this.#after(page.next)).data;
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}

/** The cursor in a Link header (RFC 8288). Of the address nothing else is used: no answer says whom to ask next. */
function nextCursor(link: string | null): string | null {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?/i.exec(link ?? "") ?? [];
  return target === undefined ? null : new URLSearchParams(target.slice(target.indexOf("?") + 1)).get("cursor");
}

/** What the API shows as an array is a page of a list, wherever it is read; what a POST gives is all there is. */
export function answerOf<T>({ response, body }: Received, isRead: boolean): Answer<T> {
  const { status, headers } = response;
  const data =
    isRead && Array.isArray(body) ? { items: body as unknown[], next: nextCursor(headers.get("link")) } : body;
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
