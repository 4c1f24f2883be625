/** What a store can answer instead of a result. Match on `code`: it survives where the class does not. */
export class StoreError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

const PROGRAMMING_ERRORS = new Set(["TypeError", "RangeError", "ReferenceError", "AssertionError"]);

/**
 * Whether an error is a fault of the code rather than of a server: it is thrown as it is, since no retry mends it.
 * Told by its name, because each context of a process has classes of its own.
 */
export const isProgrammingError = (error: unknown): boolean =>
  PROGRAMMING_ERRORS.has((error as Error | null | undefined)?.name ?? "");

/** A unique index (or the id) already holds these values. `indexes` are the positions refused in an `insertMany`, in order. */
export class UniqueConflictError extends StoreError {
  readonly collection: string;
  readonly fields: string[];
  readonly indexes: number[];
  constructor(collection: string, fields: string[], indexes: number[] = [0]) {
    super("unique_conflict", `${collection}: a document with the same ${fields.join(", ")} exists`);
    this.collection = collection;
    this.fields = fields;
    this.indexes = indexes;
  }
}

/** An update in a `write` that had to match a document matched none. */
export class NotMatchedError extends StoreError {
  constructor(collection: string) {
    super("not_matched", `${collection}: no document matched an update that requires one`);
  }
}

export class InvalidFilterError extends StoreError {
  constructor(message: string) {
    super("invalid_filter", message);
  }
}

export class InvalidChangeError extends StoreError {
  constructor(message: string) {
    super("invalid_change", message);
  }
}

export class InvalidDocumentError extends StoreError {
  constructor(message: string) {
    super("invalid_document", message);
  }
}

export class InvalidCursorError extends StoreError {
  constructor() {
    super("invalid_cursor", "the cursor does not belong to this list");
  }
}

/** A collection that cannot be kept alike on both sides: a mistake in a `model.ts`, found when it is defined. */
export class InvalidCollectionError extends StoreError {
  constructor(collection: string, message: string) {
    super("invalid_collection", `${collection}: ${message}`);
  }
}

/** A document, filter or change named a workspace other than the one it runs in, or a tenant collection was opened without one. */
export class TenancyError extends StoreError {
  constructor(message: string) {
    super("tenancy", message);
  }
}

/** More writes wait than the store takes; nothing was written. */
export class StoreBusyError extends StoreError {
  constructor(message = "too many writes are waiting") {
    super("store_busy", message);
  }
}

/** No answer in time; a write may still have happened. */
export class StoreTimeoutError extends StoreError {
  constructor(message = "the store did not answer in time") {
    super("store_timeout", message);
  }
}

/** The store is closed, unreachable or broken; a write may still have happened. */
export class StoreUnavailableError extends StoreError {
  constructor(message: string, options?: ErrorOptions) {
    super("store_unavailable", message, options);
  }
}
