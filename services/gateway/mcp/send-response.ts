import { Sink } from "../events/sink.ts";
import type { Exchange } from "../http/exchange.ts";
import { STREAM_HEADERS } from "../http/security-headers.ts";

const STREAM = "text/event-stream";

/** A media type without its parameters. */
const essence = (type: string | null) => type?.replace(/;.*$/s, "").trim().toLowerCase();

interface Sending {
  /** Called before each part. Throws if the caller has lost the right to the stream. */
  mayGoOn: () => Promise<void>;
  /** Aborts a stream. */
  gone: AbortSignal;
}

async function sendStream(x: Exchange, body: ReadableStream<Uint8Array>, { mayGoOn, gone }: Sending): Promise<void> {
  x.res.writeHead(200, [...STREAM_HEADERS, ...x.headers, ...x.limit]);
  x.res.flushHeaders();
  const sink = new Sink(x.res);
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const leave = () => void reader.cancel().catch(() => undefined);
  gone.addEventListener("abort", leave, { once: true });
  try {
    for (let chunk = await reader.read(); !chunk.done && sink.open; chunk = await reader.read()) {
      await mayGoOn();
      await sink.write(decoder.decode(chunk.value, { stream: true }));
    }
    sink.end();
  } finally {
    gone.removeEventListener("abort", leave);
    leave();
  }
}

/** Sends a Response of the Fetch standard, at once or as an event stream. */
export async function sendResponse(x: Exchange, response: Response, sending: Sending): Promise<void> {
  const type = essence(response.headers.get("content-type"));
  if (type === STREAM && response.body) {
    if (x.clientGone || sending.gone.aborted) return void (await response.body.cancel());
    return sendStream(x, response.body, sending);
  }
  const body = await response.text();
  await sending.mayGoOn();
  // Statuses for a disconnected client, such as 499, do not exist in HTTP, so nothing is sent.
  if (!x.clientGone) x.send(response.status, body === "" ? undefined : (type ?? "application/json"), body);
}
