import type { Api } from "../../support/api.ts";
import { must } from "./must.ts";
import type { Person } from "./person.ts";

const edge = (source: string, target: string, handle?: string) => ({
  id: `${source}-${target}`,
  source,
  target,
  ...(handle && { sourceHandle: handle }),
});
const node = (id: string, type: string, data: object, name = id) => ({
  id,
  type,
  name,
  position: { x: 0, y: 0 },
  data,
});

const linear = (...nodes: { id: string }[]) => ({
  nodes,
  edges: nodes.slice(1).map((to, n) => edge(nodes[n]!.id, to.id)),
});

const start = (example: object) => node("start", "trigger", { example });

/** Branches, and a map of which an item fails. */
const order = (message: string) => ({
  nodes: [
    start({ lines: [1, 2, 3], customer: "Bloom & Sons" }),
    node("check", "condition", { if: "{{ $count(input.lines) > 0 }}" }, "Has it lines?"),
    node("each", "map", { items: "{{ input.lines }}", concurrency: 4 }, "Reserve each line"),
    {
      ...node("stock", "code", {
        code: "if (item === 3) throw new Error('Out of stock');\nreturn { left: 10 - item };",
      }),
      ...{ name: "Take from stock", parentId: "each", policy: { onError: "continue" } },
    },
    node(
      "price",
      "transform",
      { value: { total: "{{ $sum(input.lines) * 12 }}", currency: "EUR" } },
      "Add up the price",
    ),
    node("tell", "notify", { title: "Order of {{ input.customer }}", body: message, role: "viewer" }, "Tell the shop"),
    node("refuse", "fail", { message: "The order of {{ input.customer }} has no lines" }, "Refuse the order"),
  ],
  edges: [
    edge("start", "check"),
    edge("check", "each", "true"),
    edge("check", "refuse", "false"),
    edge("each", "price"),
    edge("price", "tell"),
  ],
});

/** Workflows as people name them, with runs in every state. */
const WORKFLOWS: { name: string; description: string; definition: object; inputs: object[]; deploy?: boolean }[] = [
  {
    name: "Approve an expense",
    description: "Asks a person above the limit, and tells the employee.",
    definition: linear(
      start({ amount: 420, purpose: "Train to Vienna" }),
      node("ask", "human", { prompt: "Approve € {{ input.amount }} for {{ input.purpose }}?" }),
    ),
    inputs: [
      { amount: 420, purpose: "a train to Vienna" },
      { amount: 1_250, purpose: "a new coffee machine for the second floor" },
    ],
    deploy: true,
  },
  {
    name: "Import orders from the shop",
    description: "Reads new orders every ten minutes and stores them.",
    definition: linear(start({ id: 1 }), node("read", "transform", { value: "{{ input }}" })),
    inputs: Array.from({ length: 14 }, (_, n) => ({ id: n })),
    deploy: true,
  },
  {
    name: "Ship an order",
    description: "Reserves what was ordered, and tells the shop.",
    definition: order("{{ steps.price.total }} {{ steps.price.currency }}"),
    inputs: [
      { lines: [1, 2, 3], customer: "Bloom & Sons" },
      { lines: [], customer: "Nobody Ltd" },
    ],
    deploy: true,
  },
  {
    name: "Charge the customer’s card and send the invoice by post",
    description: "Long names and long errors have to fit too.",
    definition: linear(
      start({ orderId: 4711 }),
      node("stop", "fail", {
        message:
          "The card ending in 4242 was declined by the bank: insufficient funds (code 51, order {{ input.orderId }})",
      }),
    ),
    inputs: [{ orderId: 4711 }, { orderId: 4712 }, { orderId: 4713 }],
  },
  {
    name: "Nightly report",
    description: "",
    definition: linear(start({}), node("wait", "delay", { ms: 3_600_000 })),
    inputs: [{}],
    deploy: true,
  },
  {
    name: "Draft that nobody has run",
    description: "A start alone.",
    definition: linear(start({})),
    inputs: [],
  },
];

const SETTLE_MS = 20_000;

/** Waits until the runs of a workflow are where they stay: ended, or waiting. A delay leaves its run in the queue. */
async function settled(api: Api, space: string, workflowId: string): Promise<void> {
  const deadline = Date.now() + SETTLE_MS;
  while (Date.now() < deadline) {
    const open = await must(api.get(`${space}/executions?status=pending,running&limit=1&workflowId=${workflowId}`));
    if (open.length === 0) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** What settings list, and a second version of a workflow. */
async function furnish({ api, space, workspaceId }: Pick<Person, "api" | "space" | "workspaceId">, workflowId: string) {
  const workspace = `/v1/workspaces/${workspaceId}`;
  const definition = order("Please pack the order: {{ steps.price.total }} {{ steps.price.currency }}");
  await must(api.patch(`${space}/workflows/${workflowId}`, { definition }));
  const credentials = [
    {
      type: "smtp",
      name: "Mail of the shop",
      data: { host: "smtp.example.com", username: "shop", password: "secret" },
    },
    { type: "fields", name: "Warehouse", hosts: ["api.warehouse.example"], data: { token: "secret" } },
  ];
  for (const credential of credentials) await must(api.post(`${workspace}/credentials`, credential));
  await must(api.post(`${workspace}/api-keys`, { name: "Nightly import", role: "editor" }));
  for (const [email, role] of [
    ["grace.hopper@example.com", "editor"],
    ["katherine.johnson.of.the.flight.research.division@example.com", "viewer"],
  ]) {
    await must(api.post(`${workspace}/invites`, { email, role }));
  }
}

/** Fills a person's workspace with workflows and runs. Gives the ids of the workflows by name. */
export async function seed({ api, space, workspaceId }: Person): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { name, description, definition, inputs, deploy } of WORKFLOWS) {
    const { id } = await must(api.post(`${space}/workflows`, { name, description, definition }));
    ids.set(name, id as string);
    if (deploy) await must(api.post(`${space}/workflows/${id}/deploy`));
    for (const input of inputs) await must(api.post(`${space}/executions`, { workflowId: id, input }));
  }
  await must(api.patch(`${space}/workflows/${ids.get("Approve an expense")}/star`, { starred: true }));
  const [report, orders] = [ids.get("Nightly report"), ids.get("Import orders from the shop")];
  await must(
    api.post(`${space}/schedules`, { workflowId: report, cronExpr: "30 18 * * 1-5", timezone: "Europe/Berlin" }),
  );
  await must(api.post(`${space}/schedules`, { workflowId: orders, cronExpr: "*/7 6-20 * * *", enabled: false }));
  const auth = { type: "hmac", preset: "shopify" };
  await must(api.post(`${space}/webhooks`, { workflowId: orders, name: "New orders", auth }));
  await must(api.post(`${space}/webhooks`, { workflowId: report, name: "From the build server" }));
  await furnish({ api, space, workspaceId }, ids.get("Ship an order")!);
  for (const [name, id] of ids) if (name !== "Nightly report") await settled(api, space, id);
  return ids;
}
