import type * as Package from "@modelcontextprotocol/server";
import type { ServiceBroker } from "moleculer";
import { McpSession } from "./session.ts";

/**
 * Serves both versions of the protocol with one stateless handler: requests that carry their whole context
 * (2026-07-28), and clients that begin with `initialize`, without a session. The library is loaded at the first
 * request, because most nodes never get one.
 */
export class McpProtocol {
  readonly #logger: ServiceBroker["logger"];
  #handler: Promise<Package.McpHttpHandler> | undefined;

  constructor(logger: ServiceBroker["logger"]) {
    this.#logger = logger;
  }

  /** Responds to one request. `body` is its JSON body, if it has one. */
  async answer(request: Request, body: unknown, session: McpSession): Promise<Response> {
    this.#handler ??= this.#load();
    const { fetch } = await this.#handler;
    // The library passes this value to the server that it creates for one request.
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
