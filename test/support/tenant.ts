import { type Api, made, newWorkflow } from "./api.ts";
import { definition, node } from "./definition.ts";
import { upload } from "./files.ts";
import { untilEvent } from "./follow.ts";

/**
 * A workspace with one object of every kind. The fields are ids, named like the variables of paths. Missing objects
 * have "".
 */
export interface Tenant {
  workspaceId: string;
  podId: string;
  spaceId: string;
  workflowId: string;
  /** It waits for an answer. */
  executionId: string;
  /** A bulk job that found nothing to do. */
  bulkId: string;
  inviteId: string;
  /** It is shared with the workspace. */
  viewId: string;
  keyId: string;
  scheduleId: string;
  webhookId: string;
  credentialId: string;
  memoryId: string;
  baseId: string;
  entryId: string;
  importId: string;
  apiId: string;
  fileId: string;
  /** Set if a tool server was given. */
  toolServerId?: string;
  toolId?: string;
}

/** Registers a tool server. Returns its id and the id of its tool `echo`. */
async function withTools(api: Api, base: string, name: string, url: string) {
  const toolServerId = await made(api, `${base}/mcp-servers`, { name, url });
  const { body } = await api.post(`${base}/mcp-servers/${toolServerId}/sync`);
  if (body.status !== "connected") throw new Error(`A sync of tools answered ${JSON.stringify(body)}`);
  const { body: tools } = await api.get(`${base}/mcp-servers/${toolServerId}/tools`);
  return { toolServerId, toolId: (tools as { id: string; name: string }[]).find(tool => tool.name === "echo")!.id };
}

async function uploaded(api: Api, workspaceId: string, text: string): Promise<string> {
  const { status, body } = await upload(api, workspaceId, text);
  if (status !== 201) throw new Error(`An upload answered ${status}: ${JSON.stringify(body)}`);
  return body.id as string;
}

/** Paths of resources that contain others, which are deleted with them. */
const HOLDER = /:(wId|podId|sId)$/;

/**
 * A new workspace of this user. `mark` is in every name and in the run's input. With `path`, the path of a route, it
 * contains the objects in that path. Without it, or if the path ends with a container, it contains one object of every
 * kind. `toolServer` is the URL of a tool server with the tool `echo`.
 */
export async function newTenant(
  api: Api,
  mark: string,
  { path, toolServer }: { path?: string; toolServer?: string | undefined } = {},
): Promise<Tenant> {
  const makes = (name: string) => path === undefined || HOLDER.test(path) || path.includes(`/${name}`);
  const where = async (isWanted: boolean, at: string, body: unknown) => (isWanted ? made(api, at, body) : "");
  const workspaceId = await made(api, "/v1/workspaces", { name: mark });
  const base = `/v1/workspaces/${workspaceId}`;
  const podId = await made(api, `${base}/pods`, { name: mark });
  const spaceId = await made(api, `${base}/spaces`, { name: mark, podId });
  const space = `${base}/spaces/${spaceId}`;
  const runs = makes("executions");
  let [workflowId, executionId] = ["", ""];
  if (["executions", "workflows", "schedules", "webhooks"].some(makes)) {
    // An answer without data is valid too.
    const form = { properties: { file: { type: "object", "x-weft": { widget: "file" } } } };
    workflowId = await newWorkflow(api, space, definition([node("ask", "human", { prompt: mark, form })]));
  }
  if (runs) {
    executionId = await made(api, `${space}/executions`, { workflowId, input: mark });
    await untilEvent(api, `${space}/executions/${executionId}`, "execution.suspended");
  }
  const nothing = { action: "cancel", filter: { key: "nothing has it" } };
  const address = "https://login.example.com";
  const data = { authorizeUrl: address, tokenUrl: address, clientId: mark, clientSecret: mark };
  const secret = { type: "oauth2_code", hosts: ["example.com"], data };
  const baseId = await where(makes("knowledge"), `${base}/knowledge-bases`, { name: mark });
  const entries = `${base}/knowledge-bases/${baseId}/entries`;
  const document = { openapi: "3.1.0", info: { title: mark, version: "1" }, paths: {} };
  return {
    workspaceId,
    podId,
    spaceId,
    workflowId,
    executionId,
    bulkId: await where(runs, `${space}/executions/bulk`, nothing),
    inviteId: await where(makes("invites"), `${base}/invites`, { email: `${mark}@example.com` }),
    viewId: await where(makes("views"), `${base}/views`, { name: mark, page: "runs", shared: true }),
    keyId: await where(makes("api-keys"), `${base}/api-keys`, { name: mark }),
    scheduleId: await where(makes("schedules"), `${space}/schedules`, { workflowId, cronExpr: "0 0 1 1 *" }),
    webhookId: await where(makes("webhooks"), `${space}/webhooks`, { workflowId }),
    credentialId: await where(makes("credentials"), `${base}/credentials`, { name: mark, ...secret }),
    memoryId: await where(makes("memories"), `${base}/memories`, { content: "I live in Paris" }),
    baseId,
    entryId: await where(makes("knowledge"), entries, { content: mark }),
    importId: await where(makes("knowledge"), `${entries}/import`, { name: `${mark}.txt`, content: mark }),
    fileId: makes("files") ? await uploaded(api, workspaceId, mark) : "",
    apiId: await where(makes("apis"), `${base}/apis`, { name: mark, document }),
    ...(toolServer !== undefined && (await withTools(api, base, mark, toolServer))),
  };
}
