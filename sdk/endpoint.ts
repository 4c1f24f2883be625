/** How to send one call of the API. */
export interface Endpoint {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path with variables, such as `/v1/workspaces/:wId`. */
  path: string;
  /** The variables of the path, with their names in the input. */
  variables: readonly { name: string; field: string }[];
  /** The fields of a stream's input that are sent in the query. */
  query?: readonly string[];
  /** The fields of the input that are sent as headers, by header. */
  headers: Readonly<Record<string, string>>;
  /**
   * The field of the input that is sent as the whole body. Without one, the body is an object of the fields that the
   * path leaves.
   */
  wholeBody?: string;
  /** The call creates something, so it takes an `Idempotency-Key`. */
  creates: boolean;
  /** The workflow sets the answer, so it may have any form. */
  delivery: boolean;
}
