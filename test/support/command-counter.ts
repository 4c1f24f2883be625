import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** Behind the header: the flags, the kind of the section, and the length of its document. */
const FIRST_ELEMENT = HEADER_BYTES + 4 + 1 + 4;
const STRING = 2;
/** Commands that the driver sends by itself to maintain its connections and sessions. */
const OWN = new Set(["hello", "ismaster", "isMaster", "ping", "endSessions", "getMore", "killCursors"]);

/** The command of a message and its collection, such as `insert journal`; null for any other message. */
function commandOf(message: Buffer): string | null {
  if (message.readInt32LE(12) !== OP_MSG) return null;
  const type = message[FIRST_ELEMENT];
  const end = message.indexOf(0, FIRST_ELEMENT + 1);
  const name = message.toString("utf8", FIRST_ELEMENT + 1, end);
  if (OWN.has(name)) return null;
  if (type !== STRING) return name;
  const length = message.readInt32LE(end + 1);
  return `${name} ${message.toString("utf8", end + 5, end + 4 + length)}`;
}

/** A proxy between a service and MongoDB that counts the commands. */
export class CommandCounter {
  readonly uri: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #passed: { command: string; message: Buffer }[] = [];

  private constructor(server: Server, target: URL) {
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    // A client that discovers the members of the set itself would bypass this proxy.
    this.uri = `mongodb://127.0.0.1:${port}${target.pathname}?directConnection=true`;
  }

  static async open(target: string): Promise<CommandCounter> {
    const url = new URL(target);
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const counter = new CommandCounter(server, url);
    server.on("connection", client => counter.#pass(client, url));
    return counter;
  }

  #pass(client: Socket, { hostname, port }: URL): void {
    const to = connect(Number(port || 27_017), hostname);
    for (const socket of [client, to]) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        client.destroy();
        to.destroy();
      });
    }
    to.pipe(client);
    let rest: Buffer = Buffer.alloc(0);
    client.on("data", (data: Buffer) => {
      to.write(data);
      rest = rest.length > 0 ? Buffer.concat([rest, data]) : data;
      while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
        const length = rest.readInt32LE(0);
        const message = rest.subarray(0, length);
        const command = commandOf(message);
        if (command) this.#passed.push({ command, message });
        rest = rest.subarray(length);
      }
    });
  }

  /** The commands since the last take, counted by name and collection. With `text`, only those that contain it. */
  counts(text = ""): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { command, message } of this.#passed) {
      if (message.includes(text)) counts[command] = (counts[command] ?? 0) + 1;
    }
    return counts;
  }

  /** The commands since the last take. Counting begins again. */
  take(): Record<string, number> {
    const counts = this.counts();
    this.#passed = [];
    return counts;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }
}
