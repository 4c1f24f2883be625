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
 * The access token is used until it expires or is refused. Then the refresh token or the client credentials get a new
 * one.
 */
export interface McpOAuth {
  type: "oauth";
  accessToken?: string | undefined;
  refreshToken?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: string | undefined;
  /** The token endpoint. Discovered from the server's own metadata when absent. */
  tokenUrl?: string | undefined;
  scope?: string | undefined;
  /** When the access token expires, in milliseconds since 1970. */
  expiresAt?: number | undefined;
}

/** A credential of the workspace signs every call. It is opened for each, so a change of it counts at once. */
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
  /** The refresh token to use from now on, when the server rotates them. */
  refreshToken?: string | undefined;
  /** Milliseconds since 1970; absent when the server does not say. */
  expiresAt?: number | undefined;
}

export interface McpTarget {
  /** The id of the registered server. Sessions are kept by this key. */
  key: string;
  /** Changes whenever the URL or the credential changes. A session of another revision is not used again. */
  revision: string;
  url: string;
  auth: McpAuth | McpNamedCredential;
  /** Called with new OAuth tokens before they are used, so that the owner can seal and store them. */
  onTokens?: ((tokens: McpTokens) => Promise<void>) | undefined;
  /**
   * Runs `renew`, which ends with `onTokens`, while no other node renews tokens of this server: a server that rotates
   * refresh tokens may revoke all of them when it sees one twice. Returns the owner's current credential instead when
   * that differs from `held`.
   */
  renewAlone?: ((held: McpOAuth, renew: () => Promise<void>) => Promise<McpOAuth | null>) | undefined;
  /** Called when the server says that its tools changed, as long as the session lives. */
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
  /** In plain words. */
  reason: string;
}

export interface McpListing {
  tools: McpToolDefinition[];
  /** The tools that cannot be used, each with its reason. */
  dropped: DroppedTool[];
  server: { name: string; version: string };
  /** The protocol's date that both sides agreed upon. */
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
  /** The listed output schema. A structured result that does not match it is mcp_call_failed. */
  outputSchema?: Record<string, unknown> | undefined;
}

/**
 * Calls the tool servers of others.
 * @throws {McpError} from every method except close, and no other error.
 */
export interface McpClients {
  /** Lists all tools of a server, page by page. */
  list(target: McpTarget, options: McpListOptions): Promise<McpListing>;
  /** Calls a tool. A failure of the tool itself gives a result with `isError`; every other failure is an McpError. */
  call(target: McpTarget, tool: string, args: Record<string, unknown>, options: McpCallOptions): Promise<McpCallResult>;
  /** Ends the sessions of a changed or removed server, and the calls that run over them. */
  forget(key: string): Promise<void>;
  /** Ends all sessions. Calls under way reject with mcp_aborted. */
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
