/** How to send one call of the API. */
export interface Endpoint {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path with variables, such as `/v1/workspaces/:wId`. */
  path: string;
  /** The variables of the path, and their names in the input. */
  variables: readonly { name: string; field: string }[];
  /** The fields of a stream's input that are sent in the query. */
  query?: readonly string[];
  /** The fields of the input that are sent as headers, keyed by header name. */
  headers: Readonly<Record<string, string>>;
  /**
   * The field of the input that is sent as the whole body. Without it, the body is an object of the fields that are not
   * in the path.
   */
  wholeBody?: string;
  /** True if the call creates something. It then takes an `Idempotency-Key`. */
  creates: boolean;
  /** True if the workflow sets the response, which may then have any form. */
  delivery: boolean;
}
