import { once } from "node:events";
import { openStream } from "../support/event-stream.ts";
import { ID, SPACE_PATH, startGateway, type TestGateway } from "../support/gateway.ts";
import { Journal } from "../support/journal.ts";
import { rawConnection } from "../support/raw-http.ts";

const PATH = `${SPACE_PATH}/executions/${ID}/events`;

/** Resolves once no new connection is taken. */
async function unreachable({ port }: TestGateway): Promise<void> {
  for (;;) {
    const { socket } = rawConnection(port);
    const taken = await new Promise<boolean>(resolve => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (!taken) return;
  }
}

it("ends a stream after its maximum time", async () => {
  const gateway = await startGateway(new Journal().stubs, { SSE_MAX_MS: 1_000 });
  const stream = await openStream(gateway.url + PATH);
  expect(await stream.rest()).toEqual([]);
  await gateway.broker.stop();
});

describe("a gateway that stops", () => {
  it("ends its streams, so that clients reconnect to other nodes", async () => {
    const journal = new Journal();
    journal.append("execution.started");
    const gateway = await startGateway(journal.stubs);
    const stream = await openStream(gateway.url + PATH);
    await stream.next();
    const [rest] = await Promise.all([stream.rest(), gateway.broker.stop()]);
    expect(rest).toEqual([]);
  });

  it("answers requests that it has accepted, and accepts no more", async () => {
    let finish: (value: never) => void = () => {};
    const begun = Promise.withResolvers<void>();
    const gateway = await startGateway({
      "executions.start": () => {
        begun.resolve();
        return new Promise<never>(resolve => (finish = resolve));
      },
    });
    const answer = gateway.ask("POST", `${SPACE_PATH}/executions`, { body: { workflowId: ID } });
    await begun.promise;
    const stopped = gateway.broker.stop();
    await unreachable(gateway);
    finish({ id: ID } as never);
    expect(await answer).toMatchObject({ status: 201 });
    await stopped;
  });

  it("does not wait for idle connections, and waits a limited time for slow ones", async () => {
    const gateway = await startGateway();
    const idle = rawConnection(gateway.port);
    idle.socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n");
    await idle.until(/"ok"/);
    const slow = rawConnection(gateway.port);
    slow.socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\nX-Never: ");
    const silent = rawConnection(gateway.port);
    await once(silent.socket, "connect");
    await gateway.broker.stop();
    await Promise.all([idle, slow, silent].map(({ until }) => until(/never/)));
  });
});
