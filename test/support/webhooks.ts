import { definition, gives } from "./definition.ts";
import { type Api, type Json, newWorkflow } from "./api.ts";

export interface Hook {
  id: string;
  url: string;
  /** Empty if the request set it. */
  secret: string;
  verifyToken: string;
  workflowId: string;
}

/** Creates a webhook. By default, its workflow returns its input. */
export async function newHook(
  api: Api,
  space: string,
  settings: object = {},
  wanted: unknown = definition([gives("a", "{{ input }}")]),
): Promise<Hook> {
  const workflowId = await newWorkflow(api, space, wanted);
  const { status, body } = await api.post(`${space}/webhooks`, { workflowId, ...settings });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { secret: "", ...(body as object), workflowId } as Hook;
}

export interface Got {
  status: number;
  headers: Headers;
  text: string;
  body: Json;
}

/** Sends a delivery like an external service: with exact bytes and without a bearer token. */
export async function send(
  url: string,
  body: Buffer | string | undefined,
  headers: Record<string, string> = {},
  method = "POST",
): Promise<Got> {
  const bytes = body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) };
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...bytes,
    signal: AbortSignal.timeout(70_000),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

/** The runs of a workflow. */
export async function runsOf(api: Api, space: string, { workflowId }: Hook): Promise<Json[]> {
  return (await api.get(`${space}/executions?workflowId=${workflowId}`)).body as Json[];
}
