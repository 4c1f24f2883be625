import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Json } from "./api.ts";

export const ERAS = ["legacy", "modern"] as const;
export type Era = (typeof ERAS)[number];

/** The official client, for the protocol that begins with `initialize` or for that of 2026-07-28. */
export async function mcpClient(url: string, token: string, era: Era = "modern"): Promise<Client> {
  const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** The result of a call: its structured content, or the problem that refused it. */
export function answerOf(result: CallToolResult): Json {
  const [first] = result.content;
  const text: Json = JSON.parse(first?.type === "text" ? first.text : "null");
  if (result.structuredContent !== undefined) expect(text).toEqual(result.structuredContent);
  return text;
}

/** A handwritten message, in the form of the earlier protocol without an envelope. */
export function rpc(method: string, params: object = {}, id: number | undefined = 1): object {
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), method, params };
}

export const ACCEPT = "application/json, text/event-stream";

/** The only message of a response, sent as JSON or as an event stream. */
export function messageOf(text: string): Json {
  const data = /^data: (.*)$/m.exec(text)?.[1];
  return JSON.parse(data ?? text);
}
