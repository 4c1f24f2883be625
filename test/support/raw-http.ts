import { connect, type Socket } from "node:net";

/** Only the end of the received text is searched, because the text may be long. */
const TAIL = 200_000;

export interface RawConnection {
  socket: Socket;
  /** All text so far. */
  text: () => string;
  /** Resolves with the whole text once it matches, or once the other side has ended. */
  until: (pattern: RegExp) => Promise<string>;
}

/** A TCP connection for handwritten HTTP, including invalid HTTP. */
export function rawConnection(port: number): RawConnection {
  const socket = connect(port, "127.0.0.1");
  const chunks: string[] = [];
  let tail = "";
  let ended = false;
  const waiting = new Set<() => void>();
  const notify = () => waiting.forEach(check => check());
  socket.on("data", chunk => {
    const text = chunk.toString("latin1");
    chunks.push(text);
    tail = (tail + text).slice(-TAIL);
    notify();
  });
  const end = () => {
    ended = true;
    notify();
  };
  // A client that is cut off while it writes gets an error. The response before it still counts.
  socket.on("end", end).on("close", end).on("error", end);
  return {
    socket,
    text: () => chunks.join(""),
    until: pattern =>
      new Promise(resolve => {
        const check = () => {
          if (!ended && !pattern.test(tail)) return;
          waiting.delete(check);
          resolve(chunks.join(""));
        };
        waiting.add(check);
        check();
      }),
  };
}
