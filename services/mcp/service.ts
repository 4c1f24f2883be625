import type { Service } from "moleculer";
import type { Forms } from "../../adapters/expressions/forms.ts";
import type { McpClients } from "../../adapters/mcp/port.ts";
import type { Sealer } from "../../adapters/secrets/sealer.ts";
import { notFound } from "../../contracts/errors.ts";
import type { WithOutbox } from "../../mixins/outbox.mixin.ts";
import type { WithSearch } from "../../mixins/search.mixin.ts";
import type { Warn } from "../../mixins/throttled-warn.ts";
import type { WithStore } from "../../mixins/store.mixin.ts";
import type { WithSweep } from "../../mixins/sweep.mixin.ts";
import { ALIVE } from "../../mixins/tombstone.ts";
import type { Calls } from "./calls.ts";
import { type ServerDoc, servers } from "./model.ts";
import type { Syncs } from "./syncs.ts";

/** What the actions and the work of this service find on it. */
export interface McpService extends WithStore, WithSearch, WithSweep, WithOutbox {
  clients: McpClients;
  sealer: Sealer;
  /** For the arguments of tools: their schemas are written by strangers. */
  forms: Pick<Forms, "check">;
  syncs: Syncs;
  calls: Calls;
  syncIntervalMs: number;
  /** Of what goes wrong again and again. */
  warn: Warn;
}

export type Self = Service & McpService;

/** @throws AppError not_found */
export async function aliveServer({ store }: WithStore, workspaceId: string, id: string): Promise<ServerDoc> {
  const server = await store.tenant(servers, workspaceId).get({ id, ...ALIVE });
  if (!server) throw notFound("MCP server");
  return server;
}
