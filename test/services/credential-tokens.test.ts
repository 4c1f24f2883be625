import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServiceSchema } from "moleculer";
import { v7 as uuid } from "uuid";
import type { OpenedCredential } from "../../contracts/credentials/opened.ts";
import { CredentialTransit } from "../../service-kit/credential-transit.ts";
import credentials from "../../services/credentials/credentials.service.ts";
import { ownDataDir, type ServiceNode, userIdentity, startServices } from "../support/service-node.ts";

ownDataDir();
process.env.OUTBOUND_ALLOW = "127.0.0.1";

const others: ServiceSchema[] = [
  { name: "workspaces", actions: { roleOf: () => ({ role: "editor", memberId: "m" }) } },
  { name: "pods", actions: { "spaces.exists": () => ({ exists: true }) } },
  ...["workflows", "webhooks", "mcp"].map(name => ({ name, actions: { usingCredentials: () => ({ uses: [] }) } })),
  { name: "notifications", actions: { notify: () => ({ notified: 1 }) } },
];
const ada = userIdentity();
const scope = { workspaceId: uuid(), spaceId: uuid() };

let nodes: ServiceNode[];
let tokenUrl: string;
let requests = 0;
/** Holds answers back until it is called. */
let answer: () => void = () => undefined;
const held: (() => void)[] = [];
const server = createServer((request, response) => {
  request.resume();
  const value = { access_token: `token-${++requests}`, token_type: "Bearer", expires_in: 3_600 };
  held.push(() => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value)));
  answer();
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  nodes = [];
  for (let i = 0; i < 2; i++) nodes.push(await startServices(credentials, ...others));
});
afterAll(async () => {
  await Promise.all(nodes.map(node => node.stop()));
  server.closeAllConnections();
  server.close();
});

const made = async () => {
  const data = { tokenUrl, clientId: "c", clientSecret: "s3cret" };
  const given = {
    workspaceId: scope.workspaceId,
    name: uuid(),
    type: "oauth2_client" as const,
    hosts: ["a.example"],
    data,
  };
  return (await nodes[0]!.act(ada, "credentials.create", given)).id;
};
async function open(node: ServiceNode, id: string, refused?: string): Promise<OpenedCredential> {
  const { sealed } = await node.act(null, "credentials.open", {
    ...scope,
    id,
    ...(refused !== undefined && { refused }),
  });
  expect(sealed).not.toContain("token-");
  return new CredentialTransit().unpack({ id, sealed });
}

test("two nodes that need a token at the same time make one request, and give the same token", async () => {
  const id = await made();
  const before = requests;
  const arrived = new Promise<void>(resolve => (answer = resolve));
  const opening = [...nodes, ...nodes].map(node => open(node, id));
  await arrived;
  answer = () => held.splice(0).forEach(give => give());
  answer();
  const opened = await Promise.all(opening);
  expect(requests - before).toBe(1);
  expect(new Set(opened.map(({ token }) => token?.value)).size).toBe(1);
  for (const { data } of opened) expect(data).toEqual({});

  const refused = opened[0]!.token!.id;
  const again = await Promise.all([...nodes, ...nodes].map(node => open(node, id, refused)));
  expect(requests - before).toBe(2);
  expect(new Set(again.map(({ token }) => token?.value)).size).toBe(1);
  expect(again[0]!.token!.id).not.toBe(refused);
});

test("a credential that is limited to other spaces does not exist for a step", async () => {
  const id = await made();
  await nodes[1]!.act(ada, "credentials.update", { workspaceId: scope.workspaceId, id, spaceIds: [uuid()] });
  await expect(open(nodes[0]!, id)).rejects.toMatchObject({ type: "not_found" });
});
