import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { BSON, Long, ObjectId, Timestamp } from "mongodb";

type Doc = Record<string, unknown>;
/** Its codes of messages (MongoDB wire protocol). */
const [REPLY, QUERY, MESSAGE] = [1, 2004, 2013];
const HEADER = 16;

/** The first section, together with the lists from separate sections (`documents`, `updates`, `deletes`). */
function readMessage(data: Buffer): Doc {
  let at = HEADER + 4;
  let command: Doc = {};
  const lists: Record<string, Doc[]> = {};
  while (at < data.length) {
    const kind = data[at++];
    const end = at + data.readInt32LE(at);
    if (kind === 0) command = BSON.deserialize(data.subarray(at, end));
    else {
      const nameEnd = data.indexOf(0, at + 4);
      const list = (lists[data.toString("utf8", at + 4, nameEnd)] = [] as Doc[]);
      for (let from = nameEnd + 1; from < end; from += data.readInt32LE(from))
        list.push(BSON.deserialize(data.subarray(from, from + data.readInt32LE(from))));
    }
    at = end;
  }
  return { ...command, ...lists };
}

function readQuery(data: Buffer): Doc {
  const at = data.indexOf(0, HEADER + 4) + 1 + 8;
  return BSON.deserialize(data.subarray(at, at + data.readInt32LE(at)));
}

function answerTo(request: Buffer, code: number, body: Doc): Buffer {
  const bson = BSON.serialize(body);
  // The header of a reply has flags, cursor, start, and one document. That of a message has flags, and one section of
  // kind 0.
  const head = code === REPLY ? Buffer.alloc(20) : Buffer.alloc(5);
  if (code === REPLY) head.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(HEADER + head.length + bson.length, 0);
  header.writeInt32LE(request.readInt32LE(4), 8);
  header.writeInt32LE(code, 12);
  return Buffer.concat([header, head, bson]);
}

/** A page of results that is the last one. */
export const cursorOf = (firstBatch: readonly object[]): Doc => ({ id: Long.ZERO, ns: "weft.any", firstBatch });

/** A server that acts like the primary of a replica set. It records its commands, and stores nothing. */
export class FakeMongo {
  /** All commands except handshakes and ends of sessions, oldest first. */
  readonly commands: Doc[] = [];
  /** The responses to commands, in addition to `ok`. */
  readonly answers: Record<string, (command: Doc) => Doc> = {};
  /** The delay of each command, in milliseconds. */
  readonly delays: Record<string, number> = {};
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #time = 1;

  constructor() {
    this.#server = createServer(socket => this.#serve(socket));
  }

  async listen(port = 0): Promise<string> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return `mongodb://127.0.0.1:${(this.#server.address() as AddressInfo).port}/weft?directConnection=true`;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, "close");
  }

  /** The commands with this name. */
  of(name: string): Doc[] {
    return this.commands.filter(command => name in command);
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket)).on("error", () => socket.destroy());
    let pending = Buffer.alloc(0);
    socket.on("data", chunk => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 4 && pending.length >= pending.readInt32LE(0)) {
        const request = pending.subarray(0, pending.readInt32LE(0));
        pending = pending.subarray(request.length);
        this.#answer(socket, request);
      }
    });
  }

  #answer(socket: Socket, request: Buffer): void {
    const code = request.readInt32LE(12);
    const command = code === QUERY ? readQuery(request) : readMessage(request);
    const [name = ""] = Object.keys(command);
    const known = ["hello", "isMaster", "ismaster", "endSessions"].includes(name);
    if (!known) this.commands.push(command);
    const body = { ok: 1, ...(known ? this.#hello() : this.#outcome(command)), ...this.answers[name]?.(command) };
    const send = () => void socket.write(answerTo(request, code === QUERY ? REPLY : MESSAGE, body));
    const delay = this.delays[name];
    if (delay) setTimeout(send, delay);
    else send();
  }

  /** Reports that reads find nothing, and that every write succeeded. */
  #outcome({ upsert, update }: Doc): Doc {
    const time = new Timestamp({ t: this.#time++, i: 1 });
    const { $set = {}, $setOnInsert = {} } = (update ?? {}) as { $set?: Doc; $setOnInsert?: Doc };
    const value = upsert ? { _id: new ObjectId(), ...$set, ...$setOnInsert } : null;
    return { operationTime: time, n: 1, value, cursor: cursorOf([]) };
  }

  #hello(): Doc {
    const { port } = this.#server.address() as AddressInfo;
    const me = `127.0.0.1:${port}`;
    const limits = { maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000 };
    return {
      ...{
        ok: 1,
        helloOk: true,
        isWritablePrimary: true,
        ismaster: true,
        setName: "weft",
        me,
        hosts: [me],
        primary: me,
      },
      ...{ ...limits, minWireVersion: 0, maxWireVersion: 25, logicalSessionTimeoutMinutes: 30, readOnly: false },
    };
  }
}
