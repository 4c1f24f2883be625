/** A request that is to be carried out once, however often it comes. */
export interface OnceOnly {
  /** Stands for caller, method, path and Idempotency-Key. */
  scope: string;
  /** Stands for the body. */
  fingerprint: string;
  /** Whether a refusal is an answer too, so that it is given again; if not, the next try may come through. */
  keepsRefusals: boolean;
}

/**
 * What the gateway says of a client's request to the action that it leads to. They travel as headers of that one call, so no
 * call behind it has them.
 */
export interface RequestHeaders {
  /** Where the request comes from. It is there for whatever may change something. */
  address?: string;
  once?: OnceOnly;
}

/** What the middlewares found out about a request for the action that runs. */
export interface RequestLocals {
  /** The id for what it creates. */
  newId?: string;
  /** It is in the audit log. */
  recorded?: boolean;
}
