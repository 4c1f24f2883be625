/** How one call of the API is sent. */
export interface Endpoint {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With variables, as `/v1/workspaces/:wId`. */
  path: string;
  /** The variables of the path, and what they are called in the input. */
  variables: readonly { name: string; field: string }[];
  /** The fields of the input that travel as headers, by header. */
  headers: Readonly<Record<string, string>>;
  /** The field of the input that the body is as a whole; without one, the body is an object of what the path leaves. */
  wholeBody?: string;
  /** It makes something new, so it takes an `Idempotency-Key`. */
  creates: boolean;
  /** Whatever a workflow says may be the answer. */
  delivery: boolean;
}
