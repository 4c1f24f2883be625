/** An error of a search index. Match on `code`, which survives serialization; the class does not. */
export class SearchError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The request is invalid: a bad entry, filter, limit or vector. */
export class InvalidSearchError extends SearchError {
  constructor(message: string) {
    super("invalid_search", message);
  }
}

/** The index does not know the vector's model. `Search.useEmbedder` registers a model. */
export class UnknownEmbedderError extends SearchError {
  constructor(embedder: string) {
    super("unknown_embedder", `the index holds no vectors of ${embedder}`);
  }
}

/** Too many searches are waiting. */
export class SearchBusyError extends SearchError {
  constructor() {
    super("search_busy", "too many searches are waiting");
  }
}

/** No answer arrived in time. A write may still have happened. */
export class SearchTimeoutError extends SearchError {
  constructor(message = "the search index did not answer in time") {
    super("search_timeout", message);
  }
}

/** The index is closed, unreachable or broken. A write may still have happened. */
export class SearchUnavailableError extends SearchError {
  constructor(message: string, options?: ErrorOptions) {
    super("search_unavailable", message, options);
  }
}
