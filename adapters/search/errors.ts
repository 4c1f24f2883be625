/** What a search index can answer instead of a result. Match on `code`: it survives where the class does not. */
export class SearchError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** What was asked cannot be asked: a bad entry, filter, limit or vector. */
export class InvalidSearchError extends SearchError {
  constructor(message: string) {
    super("invalid_search", message);
  }
}

/** A vector is of a model that the index does not know; `Search.useEmbedder` makes one known. */
export class UnknownEmbedderError extends SearchError {
  constructor(embedder: string) {
    super("unknown_embedder", `the index holds no vectors of ${embedder}`);
  }
}

/** More searches wait than are taken. */
export class SearchBusyError extends SearchError {
  constructor() {
    super("search_busy", "too many searches are waiting");
  }
}

/** No answer in time; a write may still have happened. */
export class SearchTimeoutError extends SearchError {
  constructor(message = "the search index did not answer in time") {
    super("search_timeout", message);
  }
}

/** The index is closed, unreachable or broken; a write may still have happened. */
export class SearchUnavailableError extends SearchError {
  constructor(message: string, options?: ErrorOptions) {
    super("search_unavailable", message, options);
  }
}
