import type { Tenant } from "./tenant.ts";

/** A tenant, and a member of it that tests may change. */
export type Ids = Tenant & { memberId: string };

interface BodyContext extends Ids {
  /** The URL of a tool server. */
  toolServer: string;
  /** The token of an invite for the caller. */
  invitation: string;
}

/** The body for each action that takes one. */
export const BODIES: Readonly<Record<string, (given: BodyContext) => object>> = {
  "identity.updateMe": () => ({ name: "Renamed" }),
  "workspaces.create": () => ({ name: "Another" }),
  "workspaces.update": () => ({ name: "Renamed" }),
  "workspaces.import": ({ workspaceId }) => ({
    archive: { format: "weft-workspace", version: 1, workspaceId },
    records: [{ kind: "space", podId: null, id: workspaceId, name: "Imported" }],
  }),
  "workspaces.sso.update": () => ({ groups: [] }),
  "workspaces.updateMember": () => ({ role: "viewer" }),
  "workspaces.views.create": () => ({ name: "Failed", page: "runs", query: "?status=failed" }),
  "workspaces.views.update": () => ({ name: "Renamed" }),
  "workspaces.invites.create": () => ({ email: "somebody@example.com" }),
  "workspaces.invites.accept": ({ invitation }) => ({ token: invitation }),
  "identity.apiKeys.create": () => ({ name: "Key" }),
  "pods.create": () => ({ name: "Pod" }),
  "pods.update": () => ({ name: "Renamed" }),
  "pods.spaces.create": ({ podId }) => ({ name: "Space", podId }),
  "pods.spaces.update": () => ({ name: "Renamed" }),
  "workflows.create": () => ({ name: "Workflow", definition: null }),
  "workflows.update": () => ({ description: "Changed" }),
  "workflows.star": () => ({ starred: true }),
  "executions.test": () => ({ nodeId: "ask" }),
  "executions.testRun": ({ workflowId }) => ({ workflowId, mocks: { ask: { output: { approved: true } } } }),
  "executions.preview": () => ({ values: { "/url": "{{ 1 + 1 }}" } }),
  "workflows.presence.report": () => ({ editing: true }),
  "workflows.samples.update": () => ({ nodeId: "ask", value: { approved: true } }),
  "workflows.drafts.update": () => ({ baseVersion: 1, name: "Draft", description: "", definition: null }),
  "workflows.import": () => ({ format: "weft-workflow", version: 1, name: "In", description: "", definition: null }),
  "workflows.check": () => ({ format: "weft-workflow", version: 1, name: "In", description: "", definition: null }),
  "schedules.create": ({ workflowId }) => ({ workflowId, cronExpr: "0 0 1 1 *" }),
  "schedules.preview": () => ({ cronExpr: "0 0 1 1 *" }),
  "schedules.update": () => ({ enabled: false }),
  "webhooks.create": ({ workflowId }) => ({ workflowId }),
  "webhooks.update": () => ({ name: "Renamed" }),
  "credentials.create": () => ({ name: "Another", type: "bearer", hosts: ["example.com"], data: { token: "t0ken" } }),
  "credentials.update": () => ({ name: "Renamed" }),
  "variables.update": () => ({ set: { HOST: "a.example" } }),
  "variables.ofSpace.update": () => ({ set: { HOST: "b.example" }, remove: ["OTHER"] }),
  "executions.start": ({ workflowId }) => ({ workflowId }),
  "knowledge.create": () => ({ name: "Base" }),
  "knowledge.update": () => ({ name: "Renamed" }),
  "knowledge.entries.create": () => ({ content: "Words" }),
  "knowledge.search": () => ({ query: "words" }),
  "knowledge.searchByKeywords": () => ({ query: "words" }),
  "knowledge.imports.create": () => ({ name: "words.txt", content: "Words" }),
  "mcp.create": ({ toolServer }) => ({ name: "Tools", url: toolServer }),
  "mcp.update": () => ({ name: "Renamed" }),
  "mcp.apis.create": ({ toolServer }) => ({ name: "API", url: toolServer }),
  "mcp.apis.update": () => ({ name: "Renamed" }),
  "mcp.tools.search": () => ({ query: "words" }),
  "mcp.tools.call": () => ({ arguments: { text: "words" } }),
  "memory.ingest": () => ({ content: "I like tea." }),
  "memory.preview": () => ({ content: "I like tea." }),
  "memory.search": () => ({ query: "tea" }),
  "memory.context": () => ({ query: "tea" }),
  "memory.create": () => ({ content: "Likes tea" }),
  "executions.bulk.start": () => ({ action: "cancel", filter: { key: "nothing has it" } }),
  "executions.signal": () => ({ name: "nothing waits for this" }),
  "executions.update": () => ({ note: "Seen." }),
  "executions.respond": () => ({ approved: false }),
};

/** The query for each action that needs one. */
export const QUERIES: Readonly<Record<string, string>> = {
  "executions.output": "?nodeId=ask",
  "executions.search": "?q=words",
  "workspaces.search": "?q=words",
  "workflows.samples.remove": "?nodeId=ask",
};
