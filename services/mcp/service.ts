import type { Service } from "moleculer";
import type { Forms } from "../../adapters/expressions/forms.ts";
import type { McpClients } from "../../adapters/mcp/port.ts";
import type { Sealer } from "../../adapters/secrets/sealer.ts";
import type { ApiClients } from "./api-clients.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import type { ToolResult } from "../../contracts/entities/mcp-server.ts";
import { notFound } from "../../contracts/errors.ts";
import type { WithFiles } from "../../service-kit/files.mixin.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import type { WithSearch } from "../../service-kit/search.mixin.ts";
import type { RenewalTurns } from "../../service-kit/renewal-turns.ts";
import type { Warn } from "../../service-kit/throttled-warn.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { WithSweep } from "../../service-kit/sweep.mixin.ts";
import type { WithWorkspacePublisher } from "../../service-kit/workspace-publisher.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type ServerDoc, servers, type ToolDoc } from "./model.ts";

export type ServerRef = Pick<ServerDoc, "workspaceId" | "id">;

/** The syncs of this node. Concurrent syncs of one server are shared. */
export interface SyncWork {
  /** Syncs now, or joins the current sync. With `onlyDue` it does nothing before the next sync is due. */
  run(ref: ServerRef, onlyDue: boolean): Promise<boolean>;
  /** Starts a sync without making the caller wait. */
  start(ref: ServerRef): void;
  /** The server after a sync that began after this call. */
  now(ref: ServerRef): Promise<ServerDoc>;
  /** Call it when a server announced that its tools changed. */
  toolsChanged(ref: ServerRef): void;
  stop(): Promise<void>;
}

export type Call = Pick<
  ParamsOf<"mcp.tools.invoke">,
  "workspaceId" | "arguments" | "timeoutMs" | "callId" | "idempotencyKey"
> & {
  /** The nodes that receive its progress. */
  toldOn?: string[];
};
export type Called = Pick<ToolDoc, "name" | "outputSchema" | "operation">;

/** The calls of tools that are in progress on this node. */
export interface CallWork {
  run(server: ServerDoc, tool: Called, call: Call): Promise<ToolResult>;
  cancel(workspaceId: string, callId: string): void;
  stop(graceMs?: number): Promise<void>;
}

/** What the actions and the jobs of this service use. */
export interface McpService extends WithFiles, WithStore, WithSearch, WithSweep, WithOutbox, WithWorkspacePublisher {
  clients: McpClients;
  apis: ApiClients;
  sealer: Sealer;
  /**
   * Checks the arguments of tools. Servers outside of Weft write the schemas, so the check must not block this process.
   */
  forms: Pick<Forms, "check">;
  syncs: SyncWork;
  calls: CallWork;
  /** Decides which node renews the tokens of a server. */
  turns: RenewalTurns;
  syncIntervalMs: number;
  /** Throttled warnings for repeated failures. */
  warn: Warn;
}

export type Self = Service & McpService;

/** Filters for servers that speak MCP, and for those that represent APIs. */
export const IS_MCP = { kind: null } as const;
export const IS_API = { kind: "api" } as const;

/**
 * A server of either kind.
 * @throws {AppError} not_found when there is no such server
 */
export async function aliveServer({ store }: WithStore, workspaceId: string, id: string): Promise<ServerDoc> {
  const server = await store.tenant(servers, workspaceId).get({ id, ...ALIVE });
  if (!server) throw notFound("MCP server");
  return server;
}

/** @throws {AppError} not_found when there is no such MCP server */
export async function aliveMcpServer(self: WithStore, workspaceId: string, id: string): Promise<ServerDoc> {
  const server = await aliveServer(self, workspaceId, id);
  if (server.kind) throw notFound("MCP server");
  return server;
}

/** @throws {AppError} not_found when there is no such API */
export async function aliveApi({ store }: WithStore, workspaceId: string, id: string): Promise<ServerDoc> {
  const server = await store.tenant(servers, workspaceId).get({ id, ...IS_API, ...ALIVE });
  if (!server) throw notFound("API");
  return server;
}
