import type { OpenedCredential } from "../../contracts/credentials/opened.ts";

/** The credential that is sent with every call to a server. It is unencrypted only while it is used. */
export type McpAuth =
  | { type: "none" }
  /** Sent as `X-API-Key`. */
  | { type: "api_key"; key: string }
  /** Sent as `Authorization: Bearer`. */
  | { type: "bearer"; token: string }
  | McpOAuth;

/**
 * The access token is used until it expires or is refused. Then the refresh token or the client credentials obtain a
 * new one.
 */
export interface McpOAuth {
  type: "oauth";
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** The token endpoint. If absent, it is discovered from the server's own metadata. */
  tokenUrl?: string | undefined;
  scope?: string | undefined;
  /** When the access token expires, in milliseconds since 1970. */
  expiresAt?: number | undefined;
}

/** A credential of the workspace signs every call. It is opened for each call, so a change takes effect immediately. */
export interface McpNamedCredential {
  type: "credential";
  /**
   * Opens the credential. `refused` is the id of a token that the server refused.
   * @throws {McpError} when it cannot be used
   */
  open: (refused?: string) => Promise<OpenedCredential>;
}

export interface McpTokens {
  accessToken: string;
  /** The refresh token to use from now on, if the server rotates them. */
  refreshToken?: string | undefined;
  /** Milliseconds since 1970. Absent if the server does not say. */
  expiresAt?: number | undefined;
}

export interface McpTarget {
  /** The id of the registered server. Sessions are kept by this key. */
  key: string;
  /** Changes whenever the URL or the credential changes. Sessions of earlier revisions are not used again. */
  revision: string;
  url: string;
  auth: McpAuth | McpNamedCredential;
  /** Called with new OAuth tokens before they are used, so that the owner can seal and store them. */
  onTokens?: ((tokens: McpTokens) => Promise<void>) | undefined;
  /**
   * Runs `renew`, which ends with `onTokens`, while no other node renews tokens of this server. A server that rotates
   * refresh tokens may revoke all of them when it sees one twice. If the owner's current credential differs from
   * `held`, it is returned instead.
   */
  renewAlone?: ((held: McpOAuth, renew: () => Promise<void>) => Promise<McpOAuth | null>) | undefined;
  /** Called when the server reports a change of its tools, during the life of the session. */
  onToolsChanged?: (() => void) | undefined;
}

/** A tool as its server describes it, within the limits of the client. Annotations are untrusted hints. */
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
  /** For people. */
  reason: string;
}

export interface McpListing {
  tools: McpToolDefinition[];
  /** The tools that cannot be used, with reasons. */
  dropped: DroppedTool[];
  server: { name: string; version: string };
  /** The protocol version (a date) that both sides agreed on. */
  protocolVersion: string;
  transport: McpTransportKind;
}

export type McpTransportKind = "streamable-http" | "sse";

export interface McpCallResult {
  content: unknown[];
  structuredContent?: unknown;
  /** Whether the tool itself failed. The text is in `content`. */
  isError: boolean;
}

export interface McpProgress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

export interface McpListOptions {
  /** The time limit for everything: waiting for a session, tokens, connecting and all pages. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface McpCallOptions extends McpListOptions {
  onProgress?: ((progress: McpProgress) => void) | undefined;
  /** Sent as the `_meta` of the call. */
  meta?: Record<string, unknown> | undefined;
  /** The listed output schema. A structured result that does not match it fails with mcp_call_failed. */
  outputSchema?: Record<string, unknown> | undefined;
}

/**
 * Calls the tool servers of others.
 * @throws {McpError} from every method except close, and no other error.
 */
export interface McpClients {
  /** Lists all tools of a server, page by page. */
  list(target: McpTarget, options: McpListOptions): Promise<McpListing>;
  /** Calls a tool. A failure of the tool itself gives a result with `isError`. Every other failure is an McpError. */
  call(target: McpTarget, tool: string, args: Record<string, unknown>, options: McpCallOptions): Promise<McpCallResult>;
  /** Ends the sessions of a changed or removed server, and the calls that run over them. */
  forget(key: string): Promise<void>;
  /** Ends all sessions. Running calls reject with mcp_aborted. */
  close(): Promise<void>;
}

/** The parts of a credential that must not appear in any output. */
export function secretsOf(auth: McpTarget["auth"]): string[] {
  switch (auth.type) {
    case "none":
    case "credential":
      return [];
    case "api_key":
      return [auth.key];
    case "bearer":
      return [auth.token];
    case "oauth":
      return [auth.accessToken, auth.refreshToken, auth.clientSecret].filter(secret => secret !== undefined);
  }
}
