import type * as Package from "@modelcontextprotocol/server";
import type { ServiceBroker } from "moleculer";
import { McpSession } from "./session.ts";

/**
 * The protocol's two eras on one stateless handler: requests that carry all that concerns them (2026-07-28), and those of
 * clients that begin with `initialize`, without a session. Loaded with the first request, as most nodes never have one.
 */
export class McpProtocol {
  readonly #logger: ServiceBroker["logger"];
  #handler: Promise<Package.McpHttpHandler> | undefined;

  constructor(logger: ServiceBroker["logger"]) {
    this.#logger = logger;
  }

  /** Answers one request, whose JSON body is given where it has one. */
  async answer(request: Request, body: unknown, session: McpSession): Promise<Response> {
    this.#handler ??= this.#load();
    const { fetch } = await this.#handler;
    // This is how the library hands something on to what it has made for one request.
    const authInfo = { token: "", clientId: "", scopes: [], extra: { session } };
    return fetch(request, { authInfo, ...(body !== undefined && { parsedBody: body }) });
  }

  async #load(): Promise<Package.McpHttpHandler> {
    const [sdk, { serverOf }] = await Promise.all([import("@modelcontextprotocol/server"), import("./server.ts")]);
    return sdk.createMcpHandler(
      ({ authInfo }) => {
        const session = authInfo?.extra?.session;
        if (!(session instanceof McpSession)) throw new Error("A request came without its session.");
        return serverOf(sdk, session);
      },
      { onerror: error => this.#logger.debug("A request to /mcp was refused:", error.message) },
    );
  }
}
