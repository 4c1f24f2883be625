/** A request that takes effect once, however often it is sent. */
export interface OnceOnly {
  /** A digest of caller, method, path and Idempotency-Key. */
  scope: string;
  /** A digest of the body. */
  fingerprint: string;
  /** Whether an error is stored and repeated like a result. If not, a retry may succeed. */
  keepsRefusals: boolean;
}

/** What the gateway tells the action that takes a webhook's delivery. */
export interface DeliveryFacts {
  /** From `webhooks.verify`. */
  pass?: string;
  method?: string;
  /** The body as it came, for a webhook that keeps it. */
  rawBody?: string;
}

/**
 * What the gateway tells the action that a client's request leads to. It travels as headers of that one call, so that
 * calls behind it do not carry it.
 */
export interface RequestHeaders {
  /** The client's address. It is set for requests that may change something. */
  address?: string;
  once?: OnceOnly;
  delivery?: DeliveryFacts;
}

/** What the middlewares find out about a request, for the action that runs. */
export interface RequestLocals {
  /** The id for the resource that the action creates. */
  newId?: string;
  /** The request is in the audit log. */
  recorded?: boolean;
}
