/** An error of a store. Match on `code`, which survives serialization; the class does not. */
export class StoreError extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

const PROGRAMMING_ERRORS = new Set(["TypeError", "RangeError", "ReferenceError", "AssertionError"]);

/**
 * Whether an error is a bug in the code rather than a failure of a server. It is rethrown unchanged, because a retry
 * cannot help. The check is by name, because each context of a process has its own classes.
 */
export const isProgrammingError = (error: unknown): boolean =>
  PROGRAMMING_ERRORS.has((error as Error | null | undefined)?.name ?? "");

/**
 * A unique index (or the id) already contains these values. `indexes` are the refused positions of an `insertMany`, in
 * order.
 */
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

export const isUniqueConflict = (error: unknown): boolean => codeOf(error) === "unique_conflict";

/** The positions that an `insertMany` refused because of a unique index; null for other errors. */
export const refusedPositions = (error: unknown): number[] | null =>
  isUniqueConflict(error) ? (error as UniqueConflictError).indexes : null;

/** An update that requires a match matched no document. */
export class NotMatchedError extends StoreError {
  constructor(collection: string) {
    super("not_matched", `${collection}: no document matched an update that requires one`);
  }
}

export const isNotMatched = (error: unknown): boolean => codeOf(error) === "not_matched";

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

/**
 * The two drivers could not store the collection alike. This is a mistake in a `model.ts`, and is found when the
 * collection is defined.
 */
export class InvalidCollectionError extends StoreError {
  constructor(collection: string, message: string) {
    super("invalid_collection", `${collection}: ${message}`);
  }
}

/**
 * A document, filter or change names a workspace other than its own, or a tenant collection was opened without a
 * workspace.
 */
export class TenancyError extends StoreError {
  constructor(message: string) {
    super("tenancy", message);
  }
}

/** Too many writes are waiting. Nothing was written. */
export class StoreBusyError extends StoreError {
  constructor(message = "too many writes are waiting") {
    super("store_busy", message);
  }
}

/** No answer arrived in time. A write may still have happened. */
export class StoreTimeoutError extends StoreError {
  constructor(message = "the store did not answer in time") {
    super("store_timeout", message);
  }
}

/** The store is closed, unreachable or broken. A write may still have happened. */
export class StoreUnavailableError extends StoreError {
  constructor(message: string, options?: ErrorOptions) {
    super("store_unavailable", message, options);
  }
}
