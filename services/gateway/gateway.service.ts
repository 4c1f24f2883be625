import type { Context, Service, ServiceSchema } from "moleculer";
import ApiGateway, { type ApiSettingsSchema } from "moleculer-web";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { config } from "../../config.ts";
import { WORDS_EVENT } from "../../contracts/entities/execution.ts";
import type { EventOf } from "../../contracts/events.ts";
import { GATEWAY_ROUTES, ROUTES } from "../../contracts/routes.ts";
import { onThisNode } from "../../service-kit/on-this-node.mixin.ts";
import { filesMixin, type WithFiles } from "../../service-kit/files.mixin.ts";
import { EventStreams } from "./events/event-streams.ts";
import { WorkspaceHubs } from "./events/workspace-feed.ts";
import { Health } from "./health.ts";
import { HttpServer } from "./http/http-server.ts";
import { McpEndpoint } from "./mcp/endpoint.ts";
import { OpenConnections } from "./access/open-connections.ts";
import { ownAnswers } from "./own-answers.ts";
import { Pipeline } from "./pipeline.ts";
import type { GatewayConfig } from "./http/settings.ts";
import { routerOf } from "./targets.ts";

/** How long requests in progress may take to finish after the node begins to stop. */
const GRACE_MS = 3_000;

interface Parts extends WithFiles {
  http: HttpServer;
  server: Server;
  /** The aliases that moleculer-web resolved from the table. */
  aliases: { method: string; fullPath: string }[];
  httpHandler: (req: IncomingMessage, res: ServerResponse) => void;
  uses: OpenConnections;
  streams: EventStreams;
  hubs: WorkspaceHubs;
  mcp: McpEndpoint;
  pipeline: Pipeline;
}

type Gateway = Service<ApiSettingsSchema> & Parts;

const aliases = Object.fromEntries([
  ...ROUTES.map(route => [`${route.method} ${route.path}`, route.action]),
  ...GATEWAY_ROUTES.map(route => [`${route.method} ${route.path}`, { action: null }]),
]) as Record<string, string>;

/**
 * moleculer-web provides the lifecycle and the alias table. Requests take their own path (see `Pipeline`), because the
 * order of checks is part of the interface, and because it takes half of the time.
 */
export const gateway = (settings: GatewayConfig): ServiceSchema<ApiSettingsSchema, object, Parts> => ({
  name: "gateway",
  mixins: [
    ApiGateway,
    onThisNode("execution.appended", "execution.words", "mcp.call.progress", "workspace.changed"),
    filesMixin,
  ],
  settings: {
    $secureSettings: ["routes", "ip", "port"],
    ip: settings.HOST,
    port: settings.PORT,
    logRouteRegistration: null,
    routes: [{ path: "/", aliases, mergeParams: false, bodyParsers: false, mappingPolicy: "restrict" }],
  },
  // With these actions of moleculer-web, any node could change the routes.
  actions: { rest: false, listAliases: false, addRoute: false, removeRoute: false },
  events: {
    "execution.appended": {
      handler(this: Gateway, { params }: Context<EventOf<"execution.appended">>) {
        this.streams.heard(params.executionId, params.seq);
        this.mcp.heard(params.executionId);
      },
    },
    "execution.words": {
      handler(this: Gateway, { params: { executionId, words } }: Context<EventOf<"execution.words">>) {
        this.streams.push(executionId, WORDS_EVENT, words);
      },
    },
    "workspace.changed": {
      handler(this: Gateway, { params }: Context<EventOf<"workspace.changed">>) {
        this.hubs.get(params.workspaceId)?.heard(params);
      },
    },
    "$node.connected"(this: Gateway) {
      this.hubs.watchAll();
    },
    "$node.disconnected"(this: Gateway) {
      this.hubs.resetAll();
    },
    "$transporter.connected"(this: Gateway) {
      this.hubs.resetAll();
    },
    "mcp.call.progress": {
      handler(this: Gateway, { params }: Context<EventOf<"mcp.call.progress">>) {
        this.mcp.toolCalls.heard(params);
      },
    },
    "credential.ended": {
      handler(this: Gateway, { params }: Context<EventOf<"credential.ended">>) {
        this.uses.ended(params.credentialId);
      },
    },
    "notifications.added": {
      handler(this: Gateway, { params }: Context<EventOf<"notifications.added">>) {
        for (const userId of params.userIds) this.streams.heard(userId);
      },
    },
  },
  methods: {
    createServer(this: Gateway) {
      this.http = new HttpServer((req, res) => this.httpHandler(req, res));
      this.server = this.http.server;
    },
    httpHandler(this: Gateway, req: IncomingMessage, res: ServerResponse) {
      void this.pipeline.handle(req, res);
    },
  },
  created() {
    const { broker, logger } = this;
    this.uses = new OpenConnections();
    this.streams = new EventStreams(broker, logger, this.uses, settings.SSE_MAX_MS);
    this.mcp = new McpEndpoint({ broker, logger, config: settings, uses: this.uses });
    this.hubs = new WorkspaceHubs(broker, (id, seq) => this.streams.heard(id, seq));
    const answers = ownAnswers({
      broker,
      streams: this.streams,
      hubs: this.hubs,
      health: new Health(broker),
      mcp: this.mcp,
      files: this.files,
    });
    const router = routerOf(this.aliases, answers);
    this.pipeline = new Pipeline({ broker, logger, config: settings, router, uses: this.uses, files: this.files });
  },
  started() {
    this.logger.info(`To read about the API, open http://localhost:${settings.PORT}/docs`);
    return Promise.resolve();
  },
  async stopped() {
    this.streams.close();
    this.hubs.close();
    this.mcp.close();
    await this.http.close(GRACE_MS);
    await this.pipeline.close();
  },
});

export default () => gateway(config());
