import type { Api, Json } from "./api.ts";

export interface Downloaded {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

interface UploadOptions {
  name?: string;
  type?: string;
  headers?: object;
}

/** Uploads bytes like a client. Returns the response with its parsed body. */
export const upload = (
  api: Api,
  workspaceId: string,
  bytes: Uint8Array<ArrayBuffer> | string | ReadableStream,
  given?: UploadOptions,
) => uploadTo(api, `/v1/workspaces/${workspaceId}/files`, bytes, given);

export async function uploadTo(
  { url, token }: Pick<Api, "url" | "token">,
  path: string,
  bytes: Uint8Array<ArrayBuffer> | string | ReadableStream,
  { name = "notes.txt", type = "text/plain", headers = {} }: UploadOptions = {},
): Promise<{ status: number; headers: Headers; body: Json }> {
  const response = await fetch(`${url}${path}?name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": type, ...headers },
    body: bytes,
    ...(bytes instanceof ReadableStream && { duplex: "half" }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

export async function download(
  { url, token }: Api,
  workspaceId: string,
  id: string,
  headers: Record<string, string> = {},
): Promise<Downloaded> {
  const response = await fetch(`${url}/v1/workspaces/${workspaceId}/files/${id}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

export const valueOf = ({ id, name, type, size, sha256 }: Json) => ({ $file: { id, name, type, size, sha256 } });
