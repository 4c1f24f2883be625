import { must } from "./must.ts";
import type { Person } from "./person.ts";

const ENTRIES = [
  "Refunds take two weeks. They go to the card or the account that paid.",
  "Orders that are placed before noon leave the warehouse on the same day.",
  "A bicycle can be returned within thirty days if it was ridden less than fifty kilometres.",
];

const API = {
  openapi: "3.1.0",
  info: { title: "Warehouse", version: "1.0.0" },
  servers: [{ url: "https://api.warehouse.example" }],
  paths: {
    "/orders/{id}": {
      get: {
        operationId: "readOrder",
        summary: "Read an order",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "The order" } },
      },
    },
    "/stock": {
      get: { operationId: "readStock", summary: "Read the stock", responses: { 200: { description: "The stock" } } },
    },
  },
};

/** What workflows use: memories, a knowledge base, a file, variables, an API and an agent. Gives their ids. */
export async function seedResources({ api, space, workspaceId }: Person): Promise<{ base: string; api: string }> {
  const workspace = `/v1/workspaces/${workspaceId}`;
  const ingest = (content: string, more: object = {}) =>
    must(api.post(`${workspace}/memories/ingest`, { content, ...more }));
  await ingest("I live in Paris. I prefer trains to planes. My mother lives in Lyon. I own a boat.");
  await ingest("I moved to Berlin.");
  await ingest("I prefer refunds by bank transfer.", { userId: "customer-7" });
  const thread = { scope: "thread", threadId: "Ticket 4711" };
  await ingest("I live in Oslo. I ordered three bells.", { userId: "customer-7", ...thread });
  const { id: base } = await must(
    api.post(`${workspace}/knowledge-bases`, {
      name: "Handbook of the shop",
      description: "What people at the counter have to know: returns, refunds and opening times.",
    }),
  );
  for (const content of ENTRIES) await must(api.post(`${workspace}/knowledge-bases/${base}/entries`, { content }));
  await must(api.patch(`${workspace}/variables`, { set: { SHOP: "https://shop.example.com", COUNTRY: "DE" } }));
  const registered = await must(api.post(`${workspace}/apis`, { name: "Warehouse", document: JSON.stringify(API) }));
  const agent = { goal: "{{ input.question }}", system: "You help customers of a bicycle shop.", memory: true };
  const definition = {
    nodes: [
      { id: "start", type: "trigger", name: "Message", position: { x: 0, y: 0 }, data: { example: { question: "?" } } },
      { id: "agent", type: "agent", name: "Help customers", position: { x: 312, y: 0 }, data: agent },
    ],
    edges: [{ id: "start-agent", source: "start", target: "agent" }],
  };
  await must(api.post(`${space}/workflows`, { name: "Help customers", definition }));
  return { base: base as string, api: registered.id as string };
}
