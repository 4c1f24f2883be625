import type { ServiceBroker } from "moleculer";
import { credentialOf, principalOf } from "../../../contracts/entities/user.ts";
import { AppError } from "../../../contracts/errors.ts";
import type { Callers } from "../access/callers.ts";
import { sourceAddress } from "../http/client-address.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Input } from "../request/input.ts";
import type { OpenConnections } from "../access/open-connections.ts";
import { CallerLimit } from "../access/caller-limit.ts";
import type { GatewayConfig } from "../http/settings.ts";
import { findWorkspace } from "./find-workspace.ts";
import { Origins } from "./origins.ts";
import { McpProtocol } from "./protocol.ts";
import { RunWaits } from "./run-waits.ts";
import { sendResponse } from "./send-response.ts";
import { McpSession } from "./session.ts";
import { ToolCalls } from "./tool-calls.ts";
import { NoMessage, readMessages, webRequest } from "./web-request.ts";

/** The most open requests of one user or API key. Each may wait for a run for up to a minute. */
const MAX_OPEN = 100;

export interface EndpointParts {
  broker: ServiceBroker;
  logger: ServiceBroker["logger"];
  config: GatewayConfig;
  uses: OpenConnections;
}

/**
 * Weft as a server of the Model Context Protocol over Streamable HTTP. It keeps no sessions. Each request contains its
 * credential and is served with its caller's rights, and any gateway can serve the next one.
 */
export class McpEndpoint {
  readonly #parts: EndpointParts;
  readonly #origins: Origins;
  readonly #protocol: McpProtocol;
  readonly #open = new CallerLimit(
    MAX_OPEN,
    `A user or API key can have up to ${MAX_OPEN} requests to /mcp in progress.`,
  );
  readonly #waits = new RunWaits();
  readonly toolCalls = new ToolCalls();

  constructor(parts: EndpointParts) {
    this.#parts = parts;
    this.#origins = new Origins(parts.config);
    this.#protocol = new McpProtocol(parts.logger);
  }

  /** Handles a hint about new entries of this execution. */
  heard(executionId: string): void {
    this.#waits.heard(executionId);
  }

  /** Calls that wait for a run receive its current state, so that the node can stop. */
  close(): void {
    this.#waits.close();
  }

  /** Responds to an authenticated request, or throws the error that the API would return. */
  async answer(x: Exchange, { workspaceId }: Input, callers: Callers): Promise<void> {
    this.#origins.check(x.req);
    if (!x.identity) throw new AppError("unauthenticated");
    const left = this.#open.enter(principalOf(x.identity));
    try {
      const body = await readMessages(x, this.#parts.config.MAX_BODY_BYTES);
      await callers.recheck(x);
      if (Array.isArray(body)) callers.charge(x, body.length - 1);
      await this.#serve(x, body, workspaceId as string | undefined, callers);
    } catch (error) {
      if (!(error instanceof NoMessage)) throw error;
      const { code, message } = error;
      x.json(400, { jsonrpc: "2.0", id: null, error: { code, message } });
    } finally {
      left();
    }
  }

  async #session(x: Exchange, named: string | undefined, gone: AbortSignal): Promise<McpSession> {
    const { broker, config } = this.#parts;
    if (!x.identity) throw new AppError("unauthenticated");
    const place = await findWorkspace(broker, x.identity, named, x.requestId);
    const address = sourceAddress(x.req, config.TRUST_PROXY);
    return new McpSession({ broker, x, ...place, waits: this.#waits, toolCalls: this.toolCalls, address, gone });
  }

  /** When the client leaves or its credential ends, the run continues and this node keeps nothing for it. */
  async #serve(x: Exchange, body: unknown, named: string | undefined, callers: Callers): Promise<void> {
    const leaving = new AbortController();
    const { signal: gone } = leaving;
    const end = () => leaving.abort();
    x.res.once("close", end);
    const ended = this.#parts.uses.enter(credentialOf(x.identity!), end);
    try {
      const session = await this.#session(x, named, gone);
      const response = await callers.during(x, this.#protocol.answer(webRequest(x, gone), body, session));
      await sendResponse(x, response, { mayGoOn: () => callers.recheck(x), gone });
    } finally {
      ended();
      x.res.off("close", end);
      end();
    }
  }
}
