import type { ServiceBroker } from "moleculer";
import { call, type Meta } from "../../../contracts/call.ts";
import { ARCHIVE_LEAVES_OUT } from "../../../contracts/entities/archive.ts";
import { AppError } from "../../../contracts/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { UNTRUSTED_HEADERS } from "../http/security-headers.ts";
import { ClientGone } from "../request/body.ts";
import type { Input } from "../request/input.ts";
import { attachment, drained } from "../request/send-file.ts";
import { Reader } from "./reader.ts";
import { recordsOf } from "./records.ts";

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

async function write(x: Exchange, text: string): Promise<void> {
  if (x.clientGone) throw new ClientGone();
  if (!x.res.write(text)) await drained(x.res);
}

async function send(x: Exchange, workspaceId: string, broker: ServiceBroker, recheck: () => Promise<void>) {
  const meta = (): Meta => (x.identity ? { identity: x.identity } : {});
  const asked = { workspaceId, address: x.callerAddress, requestId: x.requestId };
  const head = await call(broker, "workspaces.export", asked, { meta: meta() });
  const headers = [...UNTRUSTED_HEADERS, ...x.headers, ...x.limit, "Content-Type", "application/x-ndjson"];
  x.streamed = true;
  x.res.writeHead(200, [...headers, "Content-Disposition", attachment(`${head.workspace.slug}.weft.jsonl`)]);
  if (x.req.method === "HEAD") return void x.res.end();
  try {
    await write(x, line(head));
    let records = 0;
    for await (const record of recordsOf(new Reader(broker, workspaceId, meta, recheck))) {
      await write(x, line(record));
      records++;
    }
    await write(x, line({ kind: "end", records, leftOut: ARCHIVE_LEAVES_OUT }));
    x.res.end();
  } catch (error) {
    // Without a proper end, the client sees that the archive is incomplete.
    x.res.destroy();
    throw error;
  }
}

/** An export reads a whole workspace, so each node runs only a few at the same time. */
const MAX_AT_ONCE = 4;
let running = 0;

/**
 * Sends the archive of a workspace. Only one page of records is in memory at a time, and the next is read once the
 * client has received it. The response breaks off when the caller loses the right to read, or a service does not
 * respond.
 * @throws {AppError} not_found, role_too_low, unavailable, before the first byte
 */
export async function sendArchive(
  x: Exchange,
  input: Input,
  broker: ServiceBroker,
  recheck: () => Promise<void>,
): Promise<void> {
  if (running >= MAX_AT_ONCE) {
    throw new AppError("unavailable", { detail: `Only ${MAX_AT_ONCE} exports run at a time. Try again later.` });
  }
  running++;
  try {
    await send(x, (input as { workspaceId: string }).workspaceId, broker, recheck);
  } finally {
    running--;
  }
}
