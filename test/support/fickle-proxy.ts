import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a service that breaks when it is told to. */
export interface FickleProxy {
  url: string;
  /** Lets the next request through to the service, and cuts its answer off. */
  loseNextAnswer(): void;
  /** Cuts all that is open. */
  cut(): void;
  /** Cuts all that is open, and all that comes, until it is told otherwise. */
  block(blocked: boolean): void;
  close(): Promise<void>;
}

export async function fickleProxy(target: string): Promise<FickleProxy> {
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
