import type { ActionName } from "../actions.ts";
import type { ErrorCode } from "../errors.ts";
import type { Role } from "../primitives.ts";

/**
 * A request body that is a file instead of JSON. The gateway passes the file on in parts as they arrive, and names the
 * upload in `upload`. The file's `contentType` is that of the request. Its `name` and `metadata` are in the query; the
 * name may also be in Content-Disposition. Without `append`, the gateway puts the bytes into the store of files, and
 * every body of the route is a file.
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
  /** 202: what is created goes on by itself. */
  status: 200 | 201 | 202 | 204;
  summary: string;
  /** Fields of the input that a header carries. */
  headers: Partial<Record<"if-match" | "prefer" | "x-webhook-secret" | "cookie" | "user-agent", string>>;
  /** Names of path variables in the input, where they differ from the usual names. */
  variables: Record<string, string>;
  /** The field of the input that takes the whole body. */
  wholeBody?: string;
  /**
   * A webhook's delivery. The webhook's secret admits it. Its body is JSON or a form, its headers and query are passed
   * on, and the workflow sets the answer.
   */
  delivery: boolean;
  upload?: FileUpload;
  /**
   * The route also takes a form with files (`multipart/form-data`). Parts that have no field of their own become members of
   * this field.
   */
  formInto?: string;
  /**
   * What the answer's ETag is made of: the state of the workflow that it is, its field `revision`, all of it, or its
   * number `revision` and all of it.
   */
  etag: "none" | "workflow" | "revision" | "content" | "numbered";
  /**
   * Whether the answer never changes, so that browsers may keep it: always, or once its field `ended` is true. Other
   * answers are not to be stored.
   */
  immutable: "never" | "always" | "once-ended";
  /**
   * For the web page alone: the route reads or sets the session's cookie. It demands the page's own origin, and a header
   * that forms and foreign pages cannot send. All other routes ignore cookies.
   */
  browser: boolean;
  /** Instead of creating something the call may find what is there already. The answer is then 200. */
  found: boolean;
  /** Attackers could guess passwords on this route, so it is limited by address and by account. */
  guessable: boolean;
  /**
   * The route gives the best answer it can while parts of the search are unavailable, and reports that in
   * `Search-Degraded`.
   */
  searches: boolean;
  /** The route's own errors, beside those that its shape implies. */
  errors: ErrorCode[];
  /**
   * Whether a call becomes an entry in the workspace's audit log. It is false for reads, and for calls that leave a
   * record elsewhere.
   */
  audited: boolean;
  /** The least role for this route, when the action admits lower roles and checks the rest by itself. */
  role?: Role;
}

/** The type keeps the action's name, so that the table of all routes shows which actions clients can call. */
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

/** The header by which a client says which state of the resource it changes. */
export const IF_MATCH = { "if-match": "ifMatch" } as const;

export const WORKSPACE = "/v1/workspaces/:wId";
export const SPACE = `${WORKSPACE}/spaces/:sId`;
