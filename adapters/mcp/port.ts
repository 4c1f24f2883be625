/** What is sent with every call to a server. Held in clear only while it is used. */
export type McpAuth =
  | { type: "none" }
  /** As `X-API-Key`. */
  | { type: "api_key"; key: string }
  /** As `Authorization: Bearer`. */
  | { type: "bearer"; token: string }
  | McpOAuth;

/** The access token is used until it expires or is refused; then a new one is had by refresh token or client credentials. */
export interface McpOAuth {
  type: "oauth";
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** Else it is discovered from the server's own metadata. */
  tokenUrl?: string | undefined;
  scope?: string | undefined;
  /** Of the access token, in milliseconds since 1970. */
  expiresAt?: number | undefined;
}

export interface McpTokens {
  accessToken: string;
  /** To be used from now on: a new one where the server rotates them. */
  refreshToken?: string | undefined;
  /** Milliseconds since 1970; absent when the server does not say. */
  expiresAt?: number | undefined;
}

export interface McpTarget {
  /** Sessions are kept by it: the id of the registered server. */
  key: string;
  /** Changes whenever the URL or the credential did; a session of another revision is not used again. */
  revision: string;
  url: string;
  auth: McpAuth;
  /** Told of new OAuth tokens, so that the owner can seal and keep them, before they are used. */
  onTokens?: ((tokens: McpTokens) => Promise<void>) | undefined;
  /**
   * Runs `renew`, which ends with `onTokens`, while nobody else renews tokens of this server, on whatever node: a server that
   * rotates refresh tokens may take back all of them when it sees one twice. Gives what its owner has instead where that is no
   * longer what is `held`.
   */
  renewAlone?: ((held: McpOAuth, renew: () => Promise<void>) => Promise<McpOAuth | null>) | undefined;
  /** The server says that its tools changed. Heard as long as the session lives. */
  onToolsChanged?: (() => void) | undefined;
}

/** A tool as its server describes it, within the limits of the client. Annotations are hints of a stranger. */
export interface McpToolDefinition {
  name: string;
  title?: string | undefined;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown> | undefined;
  annotations?: Record<string, unknown> | undefined;
}

export interface DroppedTool {
  name: string;
  /** In plain words. */
  reason: string;
}

export interface McpListing {
  tools: McpToolDefinition[];
  /** Those that cannot be used, each with its reason. */
  dropped: DroppedTool[];
  server: { name: string; version: string };
  /** The date that both sides agreed upon. */
  protocolVersion: string;
  transport: McpTransportKind;
}

export type McpTransportKind = "streamable-http" | "sse";

export interface McpCallResult {
  content: unknown[];
  structuredContent?: unknown;
  /** The tool itself failed; the text is in `content`. */
  isError: boolean;
}

export interface McpProgress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

export interface McpListOptions {
  /** For everything: waiting for a session, tokens, connecting and all pages. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface McpCallOptions extends McpListOptions {
  onProgress?: ((progress: McpProgress) => void) | undefined;
  /** Sent as the `_meta` of the call. */
  meta?: Record<string, unknown> | undefined;
  /** As it was listed. The structured result is checked against it, and one that does not fit is mcp_call_failed. */
  outputSchema?: Record<string, unknown> | undefined;
}

/** The way to the tool servers of others. Every method but close rejects with McpError, never with anything else. */
export interface McpClients {
  /** All tools of a server, page by page. */
  list(target: McpTarget, options: McpListOptions): Promise<McpListing>;
  /** A tool that fails by itself gives a result with `isError`; all else that fails is an McpError. */
  call(target: McpTarget, tool: string, args: Record<string, unknown>, options: McpCallOptions): Promise<McpCallResult>;
  /** Ends the sessions of a server that was changed or removed, and what runs over them. */
  forget(key: string): Promise<void>;
  /** Ends all sessions. What is under way rejects with mcp_aborted. */
  close(): Promise<void>;
}
