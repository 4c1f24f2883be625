import { v7 as uuid } from "uuid";
import type { Service, ServiceSchema } from "moleculer";
import type { ParamsOf } from "../../contracts/actions.ts";
import type { McpServer } from "../../contracts/entities/mcp-server.ts";
import mcp from "../../services/mcp/mcp.service.ts";
import type { McpService } from "../../services/mcp/service.ts";
import models from "../../services/models/models.service.ts";
import { FakeMcpClients, type FakeServer, fakeTool } from "./fake-mcp-clients.ts";
import { type ServiceNode, userIdentity, startServices, until } from "./service-node.ts";

export type SentNotice = ParamsOf<"notifications.notify">;

/** The MCP service with fake tool servers, and the notifications that it sends. */
export class McpStage {
  readonly owner = userIdentity();
  readonly workspaceId: string;
  readonly clients = new FakeMcpClients();
  readonly told: SentNotice[] = [];
  node!: ServiceNode;
  service!: Service & McpService;

  /** `workspaceId`: the workspace of another stage. This stage is then another node of it. */
  constructor(workspaceId: string = uuid()) {
    this.workspaceId = workspaceId;
  }

  async open(...more: ServiceSchema[]): Promise<this> {
    const { told } = this;
    const others: ServiceSchema[] = [
      { name: "workspaces", actions: { roleOf: () => ({ role: "editor", memberId: "m" }) } },
      {
        name: "notifications",
        actions: {
          notify(ctx: { params: SentNotice }) {
            told.push(ctx.params);
            return { notified: 1 };
          },
        },
      },
    ];
    this.node = await startServices(mcp, models, ...others, ...more);
    this.service = this.node.service<McpService>("mcp");
    this.service.clients = this.clients;
    return this;
  }

  /** A tool server at its own address. */
  serve(tools: string[] = ["echo"], more: Partial<FakeServer> = {}): { url: string; fake: FakeServer } {
    const url = `https://${uuid()}.example/mcp`;
    const fake = { tools: tools.map(name => fakeTool(name)), ...more };
    this.clients.servers.set(url, fake);
    return { url, fake };
  }

  async create(url: string, more: object = {}): Promise<McpServer> {
    return this.node.act(this.owner, "mcp.create", { workspaceId: this.workspaceId, name: "Tools", url, ...more });
  }

  /** Creates a server and waits for its first sync. */
  async synced(url: string, more: object = {}): Promise<McpServer> {
    const { id } = await this.create(url, more);
    await until(async () => (await this.get(id)).status !== "unknown");
    return this.get(id);
  }

  get(id: string) {
    return this.node.act(this.owner, "mcp.get", { workspaceId: this.workspaceId, id });
  }

  sync(id: string) {
    return this.node.act(this.owner, "mcp.sync", { workspaceId: this.workspaceId, id });
  }

  async tools(id: string) {
    return (await this.node.act(this.owner, "mcp.tools.list", { workspaceId: this.workspaceId, id, limit: 200 })).items;
  }

  async changes(id: string) {
    return (await this.node.act(this.owner, "mcp.changes", { workspaceId: this.workspaceId, id })).items;
  }

  find(query: string, limit = 10) {
    return this.node.act(this.owner, "mcp.tools.search", { workspaceId: this.workspaceId, query, limit });
  }
}
