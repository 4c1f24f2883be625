/** A request that takes effect once, however often it is sent. */
export interface OnceOnly {
  /** A digest of caller, method, path and Idempotency-Key. */
  scope: string;
  /** A digest of the body. */
  fingerprint: string;
  /** True if an error is stored and repeated like a result. If false, a retry may succeed. */
  keepsRefusals: boolean;
}

/** What the gateway tells the action that handles a webhook's delivery. */
export interface DeliveryFacts {
  /** From `webhooks.verify`. */
  pass?: string;
  method?: string;
  /** The original body, for a webhook that keeps it. */
  rawBody?: string;
}

/**
 * What the gateway tells the action of a client's request. It is sent as headers of that one call, so later calls do
 * not carry it.
 */
export interface RequestHeaders {
  /** The client's address. Set for requests that may change something. */
  address?: string;
  once?: OnceOnly;
  delivery?: DeliveryFacts;
}

/** What the middlewares determine about a request, for the action that runs. */
export interface RequestLocals {
  /** The id for the resource that the action creates. */
  newId?: string;
  /** True if the request is in the audit log. */
  recorded?: boolean;
}
