import type { Context, Service, ServiceSchema } from "moleculer";
import { createExpressions, type Expressions } from "../../adapters/expressions/index.ts";
import type { Forms } from "../../adapters/expressions/forms.ts";
import type { McpClients } from "../../adapters/mcp/port.ts";
import { createGuardedFetch } from "../../adapters/net/guarded-fetch.ts";
import { config } from "../../config.ts";
import type { EventOf } from "../../contracts/events.ts";
import { filesMixin } from "../../service-kit/files.mixin.ts";
import { jobsMixin } from "../../service-kit/jobs.mixin.ts";
import { outboxMixin } from "../../service-kit/outbox.mixin.ts";
import { sealerFor } from "../../service-kit/sealer.ts";
import { embeddingsOf, searchMixin } from "../../service-kit/search.mixin.ts";
import { RenewalTurns } from "../../service-kit/renewal-turns.ts";
import { throttledWarn } from "../../service-kit/throttled-warn.ts";
import { storeMixin } from "../../service-kit/store.mixin.ts";
import { sweepMixin } from "../../service-kit/sweep.mixin.ts";
import { ApiClients } from "./api-clients.ts";
import { createApi, getApi, listApis, removeApi, syncApi } from "./apis.ts";
import { callOneTool, invokeTool } from "./call-tool.ts";
import { ToolCallsInProgress } from "./calls.ts";
import { findForSteps, searchTools } from "./find-tools.ts";
import { indexedTools } from "./indexed-tools.ts";
import { lazyClients } from "./lazy-clients.ts";
import { publishingActions, workspacePublisherMixin } from "../../service-kit/workspace-publisher.ts";
import { serverEvents } from "./workspace-events.ts";
import { apiDocuments, changes, CREDENTIALS, servers, tools } from "./model.ts";
import { usingCredentials } from "./named-credential.ts";
import { serverNotices } from "./server-notices.ts";
import { prepareOperation } from "./prepare-operation.ts";
import { purge, sweepServers } from "./purge.ts";
import { listApiChanges, listChanges } from "./read-changes.ts";
import { describeTools, getTool, listOperations, listTools } from "./read-tools.ts";
import { HOLD_MS } from "./renew-exclusively.ts";
import { count, create, get, list, remove, sync, usage } from "./servers.ts";
import type { McpService, Self } from "./service.ts";
import { Syncs } from "./syncs.ts";
import { listOperationUsers, listToolUsers } from "./tool-users.ts";
import { tick } from "./tick.ts";
import { update } from "./update.ts";
import { updateApi } from "./update-api.ts";
import { archiveApi, importApiRecord } from "./archive-api.ts";
import { importRecord } from "./import-record.ts";

/** For due syncs, and for those that a dead node left behind. */
const EVERY = "*/5 * * * * *";

/** Several times the sessions that one workspace may hold. */
const MAX_SESSIONS = 256;

interface Held extends McpService {
  expressions: Expressions;
}

async function openClients(forms: Forms): Promise<McpClients> {
  const { createMcpClients } = await import("../../adapters/mcp/create-clients.ts");
  // Many workspaces use the same public servers, so an origin gets many connections.
  const net = createGuardedFetch({ allow: config().OUTBOUND_ALLOW, connectionsPerOrigin: MAX_SESSIONS });
  const clients = createMcpClients({ fetch: net, checks: forms, maxSessions: MAX_SESSIONS });
  return { ...clients, close: () => clients.close().finally(() => net.close()) };
}

const mcp: ServiceSchema = {
  name: "mcp",
  mixins: [
    jobsMixin<Self>({
      "mcp.tick": { every: EVERY, run: (service, signal) => tick(service, new Date(), signal) },
    }),
    sweepMixin(sweepServers),
    outboxMixin(serverNotices),
    searchMixin(indexedTools),
    workspacePublisherMixin,
    filesMixin,
    storeMixin([servers, tools, changes, apiDocuments]),
  ],
  actions: publishingActions(
    {
      takeOver: importRecord,
      create,
      count,
      list,
      get,
      update,
      remove,
      sync,
      changes: listChanges,
      workflows: listToolUsers,
      "tools.list": listTools,
      "tools.get": getTool,
      "tools.search": searchTools,
      "tools.call": callOneTool,
      "tools.find": findForSteps,
      "tools.describe": describeTools,
      "tools.invoke": invokeTool,
      usingCredentials,
      "apis.create": createApi,
      "apis.list": listApis,
      "apis.get": getApi,
      "apis.update": updateApi,
      "apis.remove": removeApi,
      "apis.sync": syncApi,
      "apis.operations": listOperations,
      "apis.changes": listApiChanges,
      "apis.workflows": listOperationUsers,
      "apis.prepare": prepareOperation,
      "apis.archive": archiveApi,
      "apis.takeOver": importApiRecord,
      purge,
      usage,
      embeddings: embeddingsOf("mcp.embeddings"),
    },
    serverEvents,
  ),
  events: {
    "mcp.call.cancelled"(this: Self, ctx: Context<EventOf<"mcp.call.cancelled">>) {
      this.calls.cancel(ctx.params.workspaceId, ctx.params.callId);
    },
  },
  created(this: Service & Partial<Held>) {
    const self = this as Service & Held;
    self.warn = throttledWarn(this.logger);
    self.sealer = sealerFor(CREDENTIALS);
    self.syncIntervalMs = config().MCP_SYNC_INTERVAL_MS;
    // The worker processes start with the first schema that is too expensive for this process.
    self.expressions = createExpressions();
    self.forms = self.expressions.forms;
    self.clients = lazyClients(() => openClients(self.expressions.forms));
    self.apis = new ApiClients();
    self.turns = new RenewalTurns(self.broker, HOLD_MS);
    self.syncs = new Syncs(self);
    self.calls = new ToolCallsInProgress(self);
  },
  methods: {
    /** Calls may wait for remote servers longer than the time that a stopping node has. */
    async beforeDrain(this: Self) {
      await Promise.all([this.calls.stop(), this.syncs.stop()]);
    },
  },
  async stopped(this: Service & Partial<Held>) {
    await Promise.all([this.calls?.stop(), this.syncs?.stop()]);
    await Promise.all([this.clients?.close(), this.apis?.close(), this.expressions?.close()]);
  },
};

export default mcp;
