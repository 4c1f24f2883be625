import type { ActionName } from "../actions.ts";
import type { ErrorCode } from "../errors.ts";
import type { Role } from "../primitives.ts";

/**
 * A file as the body, instead of JSON: the gateway hands it on in parts, as they come, and names the upload in `upload`. The
 * file's `contentType` is that of the request, its `name` and `metadata` are in the query, or the name in Content-Disposition.
 */
export interface FileUpload {
  types: readonly string[];
  /** Takes what the route's action takes, but the file: who may do that one may do this one. */
  begin: ActionName;
  append: ActionName;
  discard: ActionName;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Route {
  method: Method;
  path: string;
  action: ActionName;
  status: 200 | 201 | 204;
  summary: string;
  /** Fields of the input that a header carries. */
  headers: Partial<Record<"if-match" | "prefer" | "x-webhook-secret", string>>;
  /** What variables of the path are called in the input, where that is not what they are called everywhere. */
  variables: Record<string, string>;
  /** The field of the input that the body is as a whole. */
  wholeBody?: string;
  /**
   * A webhook's delivery: let in by the webhook's secret, taken with its headers and its query, as JSON or as a form, and
   * answered as the workflow says.
   */
  delivery: boolean;
  upload?: FileUpload;
  /** The answer is a workflow and carries its ETag. */
  etag: boolean;
  /** Guessing passwords is what this route is open to, so it is limited by address and by account. */
  guessable: boolean;
  /** It answers as well as it can while parts of the search are away, and says so in `Search-Degraded`. */
  searches: boolean;
  /** The errors that are this route's own, beside those that its shape implies. */
  errors: ErrorCode[];
  /** A call is an entry in the workspace's audit log; false for reads, and for what is a record by itself. */
  audited: boolean;
  /** The least role, where the action lets some in with less and checks the rest by itself. */
  role?: Role;
}

/** The type keeps the action's name, so that the table of all routes says which actions clients can call. */
export function route<N extends ActionName>(
  method: Method,
  path: string,
  action: N,
  status: Route["status"],
  summary: string,
  extra: Partial<
    Pick<
      Route,
      | "headers"
      | "variables"
      | "wholeBody"
      | "upload"
      | "delivery"
      | "etag"
      | "guessable"
      | "searches"
      | "errors"
      | "audited"
      | "role"
    >
  > = {},
): Route & { action: N } {
  const plain = {
    headers: {},
    variables: {},
    delivery: false,
    etag: false,
    guessable: false,
    searches: false,
    errors: [],
    audited: method !== "GET",
  };
  return { method, path, action, status, summary, ...plain, ...extra };
}

export const WORKSPACE = "/v1/workspaces/:wId";
export const SPACE = `${WORKSPACE}/spaces/:sId`;
