export type McpErrorCode =
  /** The connection fails, or the answer means that the server is down. */
  | "mcp_unreachable"
  /** The credential was refused, or no new token could be obtained. */
  | "mcp_unauthorized"
  /** The answers do not follow the protocol. */
  | "mcp_protocol"
  | "mcp_timeout"
  /** The outbound guard refuses the call. */
  | "mcp_refused"
  /** Too many sessions or calls at the same time. */
  | "mcp_busy"
  | "mcp_aborted"
  /** The server refused this one call, or its result cannot be used. */
  | "mcp_call_failed";

/** The only error of `McpClients`. The message is for members of a workspace and contains no credential. */
export class McpError extends Error {
  readonly code: McpErrorCode;

  constructor(code: McpErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "McpError";
    this.code = code;
  }
}
