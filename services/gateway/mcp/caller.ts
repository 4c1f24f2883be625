import type { ServiceBroker } from "moleculer";
import type { ActionName, InputOf, OutputOf } from "../../../contracts/actions.ts";
import type { Meta } from "../../../contracts/call.ts";
import type { LogEntry } from "../../../contracts/entities/execution.ts";
import type { EventOf } from "../../../contracts/events.ts";

/** The input of an action without the workspace, which is the caller's. */
export type InputHere<N extends ActionName> = Omit<InputOf<N>, "workspaceId">;

/** The caller of one request to `/mcp`, for code that waits on the caller's behalf. */
export interface McpCaller {
  readonly broker: ServiceBroker;
  readonly workspaceId: string;
  /** Aborted when the client has gone away or its credential was ended. */
  readonly gone: AbortSignal;
  /** Calls an action of this workspace with the caller's rights. */
  act<N extends ActionName>(
    name: N,
    input: InputHere<N>,
    timeout?: number,
    more?: Pick<Meta, "callId">,
  ): Promise<OutputOf<N>>;
}

export type CallProgress = Pick<EventOf<"mcp.call.progress">, "progress" | "total" | "message">;

/** The context of a tool call, besides its arguments. */
export interface CallContext {
  /** Aborted when the client has cancelled the call or is gone. */
  signal: AbortSignal;
  /** Set if the client asked for progress. Receives the log entries of a run. */
  onEntries?: ((entries: LogEntry[]) => Promise<void>) | undefined;
  /** Set if the client asked for progress. Receives the progress of another server's tool. */
  onProgress?: ((progress: CallProgress) => void) | undefined;
}
