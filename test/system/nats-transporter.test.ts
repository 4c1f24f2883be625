import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { Errors, ServiceBroker } from "moleculer";
import { NatsTransporter } from "../../adapters/transport/nats-transporter.ts";
import { hint } from "../../contracts/call.ts";
import { onThisNode } from "../../service-kit/on-this-node.mixin.ts";
import { until } from "../support/until.ts";
import { describeWithNats, Nats } from "../support/nats.ts";

const MIB = 1_048_576;

describeWithNats("the transporter", () => {
  let nats: Nats;
  const brokers: ServiceBroker[] = [];
  /** Which node heard of which entry. */
  let heard: string[] = [];
  /** A call that is never answered has begun. */
  let begun = Promise.withResolvers<void>();

  beforeAll(async () => {
    nats = await Nats.open();
  });
  beforeEach(() => {
    begun = Promise.withResolvers();
    heard = [];
  });
  afterEach(async () => {
    await Promise.all(brokers.splice(0).map(broker => broker.stop()));
  });
  afterAll(() => nats?.kill());

  async function node(nodeID: string, serves: boolean, url = nats.url): Promise<ServiceBroker> {
    const broker = new ServiceBroker({ nodeID, logger: false, transporter: new NatsTransporter(url) });
    brokers.push(broker);
    const actions = {
      who: () => nodeID,
      never: () => {
        begun.resolve();
        return new Promise(() => {});
      },
      length: (ctx: { params: { text: string } }) => ctx.params.text.length,
      text: (ctx: { params: { length: number } }) => "x".repeat(ctx.params.length),
    };
    const events = {
      "execution.appended": ({ params }: { params: { seq: number } }) => void heard.push(`${nodeID} ${params.seq}`),
    };
    if (serves) broker.createService({ name: "echo", mixins: [onThisNode("execution.appended")], actions, events });
    await broker.start();
    return broker;
  }

  /** Its connection ends, and it says nothing of it. To drain it waits until the server knows. */
  async function vanish(broker: ServiceBroker): Promise<void> {
    const transporter = broker.transit?.tx as NatsTransporter;
    await transporter.client?.drain();
    transporter.connected = false;
  }

  async function three() {
    const [one, two] = await Promise.all([node("one", true), node("two", true)]);
    const caller = await node("caller", false);
    await caller.waitForServices("echo");
    return { caller, one, two };
  }

  it("sends a call for a lost node to another node, and sends no further calls to the lost one", async () => {
    const { caller, one, two } = await three();
    const asked = () => Promise.all(Array.from({ length: 4 }, () => caller.call("echo.who")));
    expect(new Set(await asked())).toEqual(new Set(["one", "two"]));
    await vanish(one);
    expect(await asked()).toEqual(["two", "two", "two", "two"]);
    await vanish(two);
    const none = await caller.call("echo.who").catch((error: unknown) => error);
    expect(none).toBeInstanceOf(Errors.ServiceNotAvailableError);
  });

  it("does the same for a call in parts, and does not treat a live node as lost", async () => {
    const { caller, one } = await three();
    await vanish(one);
    const text = "x".repeat(3 * MIB);
    for (let i = 0; i < 2; i++) expect(await caller.call("echo.length", { text })).toBe(text.length);
    expect(caller.registry.nodes.get("two")?.available).toBe(true);
  });

  it("continues to read after an unreadable message, and stops in time while the server hangs", async () => {
    const { caller, one } = await three();
    const stranger = connect(Number(new URL(nats.url).port), "127.0.0.1");
    const [header, body] = ["NATS/1.0\r\nno key: x\r\n\r\n", "{}"];
    const taken = new Promise<void>(resolve => {
      stranger.on("data", data => String(data).includes("PONG") && resolve());
    });
    stranger.write('CONNECT {"headers":true,"verbose":false}\r\n');
    stranger.write(`HPUB MOL.REQ.one ${header.length} ${header.length + body.length}\r\n${header}${body}\r\nPING\r\n`);
    await taken;
    expect(await caller.call("echo.who", {}, { nodeID: "one" })).toBe("one");
    stranger.destroy();
    process.kill(nats.pid, "SIGSTOP");
    try {
      await one.stop();
    } finally {
      process.kill(nats.pid, "SIGCONT");
    }
    brokers.splice(brokers.indexOf(one), 1);
  });

  it("detects at once a connection that is lost right after it opened", async () => {
    const server = createServer(socket => {
      socket.write('INFO {"server_id":"x","version":"2.9.10","headers":true,"max_payload":1048576}\r\n');
      socket.on("data", data => {
        if (String(data).includes("PING")) socket.write("PONG\r\n");
        if (String(data).includes("SUB")) socket.destroy();
      });
      server.close();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { transit } = await node("early", false, `nats://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await until(() => transit?.connected === true && !transit.tx.connected);
  });

  it("rejects running calls to a node that turns out to be lost", async () => {
    const { caller, one } = await three();
    const pending = caller.call("echo.never", {}, { nodeID: "one" }).catch((error: unknown) => error);
    await begun.promise;
    await vanish(one);
    for (let i = 0; i < 2; i++) expect(await caller.call("echo.who")).toBe("two");
    expect(await pending).toBeInstanceOf(Errors.RequestRejectedError);
  });

  it("rejects waiting calls when the connection is lost, and new calls until it is back", async () => {
    const { caller } = await three();
    const pending = caller.call("echo.never").catch((error: unknown) => error);
    await begun.promise;
    await nats.kill();
    expect(await pending).toBeInstanceOf(Errors.RequestRejectedError);
    await expect(caller.call("echo.who")).rejects.toBeInstanceOf(Errors.ServiceNotAvailableError);
    const back = new Promise(resolve => caller.localBus.once("$transporter.connected", resolve));
    await nats.start();
    await back;
    await caller.waitForServices("echo");
    expect(["one", "two"]).toContain(await caller.call("echo.who"));
  });

  it("delivers a hint only to the nodes that it is for", async () => {
    const { caller } = await three();
    const packets = jest.spyOn(caller.transit!, "sendEvent");
    hint(caller, ["two"], "execution.appended", { executionId: "x", seq: 1 });
    hint(caller, [], "execution.appended", { executionId: "x", seq: 2 });
    hint(caller, ["two", "one"], "execution.appended", { executionId: "x", seq: 3 });
    hint(caller, "all", "execution.appended", { executionId: "x", seq: 4 });
    await until(() => heard.length >= 5);
    expect(heard.sort()).toEqual(["one 3", "one 4", "two 1", "two 3", "two 4"]);
    expect(packets).toHaveBeenCalledTimes(5);
  });

  it("carries up to 32 MiB both ways, and tells the caller when a message is too large", async () => {
    const { caller } = await three();
    expect(await caller.call("echo.length", { text: "x".repeat(20 * MIB) })).toBe(20 * MIB);
    expect(await caller.call<string, object>("echo.text", { length: 20 * MIB })).toHaveLength(20 * MIB);
    await expect(caller.call("echo.length", { text: "x".repeat(33 * MIB) })).rejects.toMatchObject({
      type: "payload_too_large",
    });
    await expect(caller.call("echo.text", { length: 33 * MIB })).rejects.toMatchObject({ type: "internal_error" });
    expect(["one", "two"]).toContain(await caller.call("echo.who"));
  });
});
