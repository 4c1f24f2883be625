import type { ServiceBroker } from "moleculer";
import type { ActionName, InputOf, OutputOf } from "../../../contracts/actions.ts";
import { call, type Meta } from "../../../contracts/call.ts";
import type { Role } from "../../../contracts/primitives.ts";
import type { RequestHeaders } from "../../../contracts/request.ts";
import type { Exchange } from "../http/exchange.ts";
import type { InputHere, McpCaller } from "./caller.ts";
import type { RunWaits } from "./run-waits.ts";
import type { ToolCalls } from "./tool-calls.ts";

const CALL_TIMEOUT_MS = 30_000;

export interface SessionParts {
  broker: ServiceBroker;
  x: Exchange;
  workspaceId: string;
  /** The caller's role in the workspace. */
  role: Role;
  waits: RunWaits;
  toolCalls: ToolCalls;
  /** The client's address. */
  address: string;
  /** Aborted when the client has left or its credential was ended. */
  gone: AbortSignal;
}

/** One request to `/mcp`: its caller in one workspace, with the caller's rights in it. */
export class McpSession implements McpCaller {
  readonly workspaceId: string;
  readonly role: Role;
  readonly requestId: string;
  readonly broker: ServiceBroker;
  readonly waits: RunWaits;
  readonly toolCalls: ToolCalls;
  readonly gone: AbortSignal;
  readonly #x: Exchange;
  readonly #headers: RequestHeaders;

  constructor({ broker, x, workspaceId, role, waits, toolCalls, address, gone }: SessionParts) {
    this.broker = broker;
    this.workspaceId = workspaceId;
    this.role = role;
    this.requestId = x.requestId;
    this.waits = waits;
    this.toolCalls = toolCalls;
    this.gone = gone;
    this.#x = x;
    this.#headers = { address };
  }

  /** Calls an action of this workspace as a route would: with the caller's rights, and audited if its route is. */
  act<N extends ActionName>(
    name: N,
    input: InputHere<N>,
    timeout = CALL_TIMEOUT_MS,
    more: Pick<Meta, "callId"> = {},
  ): Promise<OutputOf<N>> {
    const meta: Meta = this.#x.identity ? { identity: this.#x.identity, ...more } : {};
    const options = { timeout, meta, requestID: this.requestId, headers: this.#headers };
    return call(this.broker, name, { ...input, workspaceId: this.workspaceId } as InputOf<N>, options);
  }
}
