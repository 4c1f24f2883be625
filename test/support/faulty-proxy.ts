import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy to a service that breaks on request. */
export interface FaultyProxy {
  url: string;
  /** Forwards the next request to the service, and cuts off its response. */
  loseNextAnswer(): void;
  /** Cuts all open connections. */
  cut(): void;
  /** Cuts all open and new connections, until `block(false)`. */
  block(blocked: boolean): void;
  close(): Promise<void>;
}

export async function faultyProxy(target: string): Promise<FaultyProxy> {
  const open = new Set<Socket>();
  let losing = false;
  let blocking = false;
  const server = createServer(client => {
    if (blocking) return void client.destroy();
    const service = connect(Number(new URL(target).port), "127.0.0.1");
    const both = [client, service];
    const end = () => both.forEach(socket => socket.destroy());
    for (const socket of both) {
      open.add(socket);
      socket.on("error", end).on("close", () => {
        open.delete(socket);
        end();
      });
    }
    client.on("data", data => service.write(data));
    service.on("data", data => {
      if (!losing) return void client.write(data);
      losing = false;
      end();
    });
  })
    .listen(0, "127.0.0.1")
    .unref();
  await once(server, "listening");
  const cut = () => open.forEach(socket => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseNextAnswer: () => void (losing = true),
    cut,
    block(blocked) {
      blocking = blocked;
      if (blocked) cut();
    },
    async close() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
