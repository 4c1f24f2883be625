import { connect, type Socket } from "node:net";

/** What is waited for is looked for at the end of what came, which may be much. */
const TAIL = 200_000;

export interface RawConnection {
  socket: Socket;
  /** All that came so far. */
  text: () => string;
  /** Resolves with all that came once it matches, or once the other side has ended. */
  until: (pattern: RegExp) => Promise<string>;
}

/** A TCP connection to write HTTP to by hand, wrong HTTP too. */
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
  // A client that is cut off while it writes gets an error. The answer that came before counts.
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
