import type { ActionName } from "../actions.ts";
import type { ErrorCode } from "../errors.ts";
import type { Role } from "../primitives.ts";

/**
 * A request body that is a file instead of JSON. The gateway forwards the file in parts while it arrives, and passes
 * the id of the upload as `upload`. The file's `contentType` is that of the request. Its `name` and `metadata` are in
 * the query; the name may also be in Content-Disposition. Without `append`, the gateway writes the bytes to the file
 * store, and every body of the route is a file.
 */
export interface FileUpload {
  types: readonly string[] | "any";
  /** The action that begins the upload. It takes the same input without the file, so the same callers may call it. */
  begin: ActionName;
  append?: ActionName;
  discard: ActionName;
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Route {
  method: Method;
  path: string;
  action: ActionName;
  /** 202 means that the created resource continues in the background. */
  status: 200 | 201 | 202 | 204;
  summary: string;
  /** Fields of the input that a header carries. */
  headers: Partial<Record<"if-match" | "prefer" | "x-webhook-secret" | "cookie" | "user-agent", string>>;
  /** Names of path variables in the input, if they differ from the usual names. */
  variables: Record<string, string>;
  /** The field of the input that contains the whole body. */
  wholeBody?: string;
  /**
   * True for a webhook's delivery. The webhook's secret authenticates it. Its body is JSON or a form, its headers and
   * query are forwarded, and the workflow sets the response.
   */
  delivery: boolean;
  upload?: FileUpload;
  /**
   * The route also accepts a form with files (`multipart/form-data`). Parts without a field of their own become members
   * of this field.
   */
  formInto?: string;
  /**
   * The source of the response's ETag: the state of the workflow, the field `revision`, the whole content, or both
   * `revision` and content.
   */
  etag: "none" | "workflow" | "revision" | "content" | "numbered";
  /**
   * Whether the response never changes, so that browsers may cache it: always, or once its field `ended` is true. Other
   * responses must not be stored.
   */
  immutable: "never" | "always" | "once-ended";
  /**
   * For the web page only: the route reads or sets the session's cookie. It requires the page's own origin, and a
   * header that forms and other sites' pages cannot send. All other routes ignore cookies.
   */
  browser: boolean;
  /** Instead of creating something, the call may return an existing object. The status is then 200. */
  found: boolean;
  /** Attackers could guess passwords on this route, so it is limited by address and by account. */
  guessable: boolean;
  /**
   * If parts of the search are unavailable, the route responds with what it can find, and reports that in
   * `Search-Degraded`.
   */
  searches: boolean;
  /** The route's own errors, in addition to those that its shape implies. */
  errors: ErrorCode[];
  /**
   * Whether a call becomes an entry in the workspace's audit log. It is false for reads, and for calls that are
   * recorded elsewhere.
   */
  audited: boolean;
  /** The lowest role for this route, if the action admits lower roles and performs the other checks. */
  role?: Role;
}

/** The type includes the action's name, so that the table of all routes shows which actions clients can call. */
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
      | "formInto"
      | "delivery"
      | "etag"
      | "immutable"
      | "browser"
      | "found"
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
    etag: "none" as const,
    immutable: "never" as const,
    browser: false,
    found: false,
    guessable: false,
    searches: false,
    errors: [],
    audited: method !== "GET",
  };
  return { method, path, action, status, summary, ...plain, ...extra };
}

/** The header in which a client states which revision of the resource it changes. */
export const IF_MATCH = { "if-match": "ifMatch" } as const;

export const WORKSPACE = "/v1/workspaces/:wId";
export const SPACE = `${WORKSPACE}/spaces/:sId`;
