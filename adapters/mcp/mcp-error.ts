export type McpErrorCode =
  /** No connection, or an answer that means that the server is down. */
  | "mcp_unreachable"
  /** The credential was refused, or no new token could be had. */
  | "mcp_unauthorized"
  /** The answers are not what the protocol says. */
  | "mcp_protocol"
  | "mcp_timeout"
  /** The outbound guard does not let the call through. */
  | "mcp_refused"
  /** Too many sessions or calls at the same time. */
  | "mcp_busy"
  | "mcp_aborted"
  /** The server refused this one call, or its result cannot be taken. */
  | "mcp_call_failed";

/** The only error of `McpClients`. Its message is in plain words for the people of a workspace and holds no credential. */
export class McpError extends Error {
  readonly code: McpErrorCode;

  constructor(code: McpErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "McpError";
    this.code = code;
  }
}
