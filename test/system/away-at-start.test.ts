import { rm } from "node:fs/promises";
import { makeCertificates } from "../support/certificates.ts";
import { FakeMongo } from "../support/fake-mongo.ts";
import { FakeQdrant } from "../support/fake-qdrant.ts";
import { describeWithNats, Nats } from "../support/nats.ts";
import { freePort } from "../support/free-port.ts";
import { logged, removeServer, type Server, startServer, temporaryFolder, untilReady } from "../support/server.ts";

const SECRET = "hunter2";
const KEYS = { JWT_SECRET: "j".repeat(32), SECRETS_KEY: "s".repeat(32) };
const ACCOUNT = { email: "ada@example.com", password: "correct horse battery" };

const json = async (answer: Promise<Response>) => {
  const response = await answer;
  return { status: response.status, body: (await response.json()) as object };
};
const get = (server: Server, path: string) => json(fetch(server.url + path));
const register = (server: Server) =>
  json(
    fetch(`${server.url}/v1/auth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ACCOUNT),
    }),
  );

/** Waits until the gateway listens. */
async function untilAlive(server: Server): Promise<void> {
  for (;;) {
    const alive = await fetch(`${server.url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (alive) return;
    if (server.process.exitCode !== null) throw new Error(`The server ended:\n${server.log()}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

async function untilDependencies(server: Server, expected: object): Promise<void> {
  for (;;) {
    const { body } = await get(server, "/health/ready");
    if (
      Object.entries(expected).every(
        ([name, state]) => (body as { dependencies: Record<string, unknown> }).dependencies[name] === state,
      )
    )
      return;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

describeWithNats("a node that starts before NATS and Qdrant", () => {
  let folder: string;
  let nats: Nats;
  let qdrant: FakeQdrant;
  let node: Server;
  let stranger: Server;
  let qdrantPort: number;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const { ca, cert, key } = makeCertificates(folder);
    const [port, searchPort] = await Promise.all([freePort(), freePort()]);
    qdrantPort = searchPort;
    const tls = ["--tls", "--tlscert", cert, "--tlskey", key];
    nats = new Nats(port, [...tls, "--user", "weft", "--pass", `${SECRET}/@`]);
    qdrant = new FakeQdrant();
    const natsUrl = (password: string) =>
      `tls://weft:${encodeURIComponent(password)}@127.0.0.1:${port}?tlsCAFile=${ca}`;
    const QDRANT_URL = `http://:${SECRET}@127.0.0.1:${searchPort}`;
    [node, stranger] = await Promise.all([
      startServer({ env: { ...KEYS, QDRANT_URL, NATS_URL: natsUrl(`${SECRET}/@`) }, unready: true }),
      startServer({ env: { ...KEYS, NATS_URL: natsUrl(`not ${SECRET}`), SERVICES: "models" }, unready: true }),
    ]);
    await untilAlive(node);
  });
  afterAll(async () => {
    await Promise.all([removeServer(node), removeServer(stranger), nats?.kill(), qdrant?.close()]);
    await rm(folder, { recursive: true });
  });

  it("reports which servers are unavailable, and serves what it can", async () => {
    await untilDependencies(node, { store: "ok", nats: "down", search: "down" });
    expect(await get(node, "/health/ready")).toMatchObject({ status: 503, body: { status: "down" } });
    expect(await register(node)).toMatchObject({ status: 201 });
  });

  it("joins over TLS with its credentials when NATS starts, is ready without its index, and recovers with it", async () => {
    await nats.start();
    await untilReady(node);
    const search = (state: string) => ({ nats: "ok", search: state, store: "ok" });
    expect(await get(node, "/health/ready")).toMatchObject({
      status: 200,
      body: { status: "degraded", dependencies: search("down") },
    });
    await qdrant.listen(qdrantPort);
    await untilDependencies(node, search("ok"));
    expect(await get(node, "/health/ready")).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  it("logs a wrong NATS password in one line, and logs no secret", async () => {
    await logged(stranger, "NATS refuses the credentials in NATS_URL");
    for (const server of [node, stranger]) expect(server.log()).not.toContain(SECRET);
    expect(await stranger.stop()).toBe(0);
  });
});

describe("a node that starts before MongoDB", () => {
  it("stays alive, reports that its store is unavailable, and continues when it starts", async () => {
    const port = await freePort();
    const MONGODB_URI = `mongodb://127.0.0.1:${port}/weft?directConnection=true&serverSelectionTimeoutMS=300&appName=${SECRET}`;
    const node = await startServer({ env: { MONGODB_URI }, unready: true });
    const mongo = new FakeMongo();
    try {
      await logged(node, `Waiting for the store: cannot reach MongoDB: connect ECONNREFUSED 127.0.0.1:${port}`);
      await untilAlive(node);
      expect(await get(node, "/health/ready")).toMatchObject({
        status: 503,
        body: { dependencies: { store: "down" } },
      });
      expect(await register(node)).toMatchObject({ status: 503, body: { code: "unavailable" } });
      await mongo.listen(port);
      await untilReady(node);
      expect(mongo.of("createIndexes").length).toBeGreaterThan(10);
    } finally {
      await mongo.close();
      expect(await node.stop()).toBe(0);
      expect(node.log()).not.toContain(SECRET);
      await removeServer(node);
    }
  });
});
