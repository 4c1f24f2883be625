import { type Api, newWorkflow } from "./api.ts";
import { definition, node } from "./definition.ts";
import { upload } from "./files.ts";
import { untilEvent } from "./follow.ts";

/** A workspace with one of everything in it: the ids, by what they are called in a path. */
export interface Tenant {
  workspaceId: string;
  podId: string;
  spaceId: string;
  workflowId: string;
  /** It waits for an answer. */
  executionId: string;
  /** Of a bulk job that found nothing to do. */
  bulkId: string;
  inviteId: string;
  /** Shared with the workspace. */
  viewId: string;
  keyId: string;
  scheduleId: string;
  webhookId: string;
  credentialId: string;
  memoryId: string;
  baseId: string;
  entryId: string;
  importId: string;
  fileId: string;
  /** Where a tool server was named. */
  toolServerId?: string;
  toolId?: string;
}

async function made(api: Api, path: string, body: unknown): Promise<string> {
  const answer = await api.post(path, body);
  if (answer.status !== 201 && answer.status !== 202)
    throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.id as string;
}

/** Registers a tool server, and gives the ids of it and of its tool `echo`. */
async function withTools(api: Api, base: string, name: string, url: string) {
  const toolServerId = await made(api, `${base}/mcp-servers`, { name, url });
  const { body } = await api.post(`${base}/mcp-servers/${toolServerId}/sync`);
  if (body.status !== "connected") throw new Error(`A sync of tools answered ${JSON.stringify(body)}`);
  const { body: tools } = await api.get(`${base}/mcp-servers/${toolServerId}/tools`);
  return { toolServerId, toolId: (tools as { id: string; name: string }[]).find(tool => tool.name === "echo")!.id };
}

/** A new workspace of this user; `mark` is in every name and in the run's input. `toolServer`: the URL of one with `echo`. */
export async function newTenant(api: Api, mark: string, toolServer?: string): Promise<Tenant> {
  const workspaceId = await made(api, "/v1/workspaces", { name: mark });
  const base = `/v1/workspaces/${workspaceId}`;
  const podId = await made(api, `${base}/pods`, { name: mark });
  const spaceId = await made(api, `${base}/spaces`, { name: mark, podId });
  const space = `${base}/spaces/${spaceId}`;
  // An answer without data fits too.
  const form = { properties: { file: { type: "object", "x-weft": { widget: "file" } } } };
  const asks = definition([node("ask", "human", { prompt: mark, form })]);
  const workflowId = await newWorkflow(api, space, asks);
  const executionId = await made(api, `${space}/executions`, { workflowId, input: mark });
  await untilEvent(api, `${space}/executions/${executionId}`, "execution.suspended");
  const bulkId = await made(api, `${space}/executions/bulk`, { action: "cancel", filter: { key: "nothing has it" } });
  const inviteId = await made(api, `${base}/invites`, { email: `${mark}@example.com` });
  const viewId = await made(api, `${base}/views`, { name: mark, page: "runs", shared: true });
  const keyId = await made(api, `${base}/api-keys`, { name: mark });
  const scheduleId = await made(api, `${space}/schedules`, { workflowId, cronExpr: "0 0 1 1 *" });
  const webhookId = await made(api, `${space}/webhooks`, { workflowId });
  const address = "https://login.example.com";
  const data = { authorizeUrl: address, tokenUrl: address, clientId: mark, clientSecret: mark };
  const secret = { type: "oauth2_code", hosts: ["example.com"], data };
  const credentialId = await made(api, `${base}/credentials`, { name: mark, ...secret });
  const memoryId = await made(api, `${base}/memories`, { content: "I live in Paris" });
  const baseId = await made(api, `${base}/knowledge-bases`, { name: mark });
  const entries = `${base}/knowledge-bases/${baseId}/entries`;
  const entryId = await made(api, entries, { content: mark });
  const importId = await made(api, `${entries}/import`, { name: `${mark}.txt`, content: mark });
  const file = await upload(api, workspaceId, mark);
  if (file.status !== 201) throw new Error(`An upload answered ${file.status}: ${JSON.stringify(file.body)}`);
  const fileId = file.body.id as string;
  return {
    workspaceId,
    podId,
    spaceId,
    workflowId,
    executionId,
    bulkId,
    inviteId,
    viewId,
    keyId,
    scheduleId,
    webhookId,
    credentialId,
    memoryId,
    baseId,
    entryId,
    importId,
    fileId,
    ...(toolServer !== undefined && (await withTools(api, base, mark, toolServer))),
  };
}
