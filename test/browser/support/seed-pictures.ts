import { upload } from "../../support/files.ts";
import { until } from "../../support/until.ts";
import { must } from "./must.ts";
import type { Person } from "./person.ts";
import { seed } from "./seed.ts";
import { seedResources } from "./seed-resources.ts";

const NOTES = "order;customer\n4711;Bloom & Sons\n4712;Nobody Ltd\n";

/** Fills a workspace so that no page of it is empty, and gives the ids of what pictures show. */
export async function seedForPictures(person: Person, mcpUrl: string) {
  const { api, space, workspaceId } = person;
  const workspace = `/v1/workspaces/${workspaceId}`;
  const ids = await seed(person);
  const runsOf = async (query: string) =>
    ((await must(api.get(`${space}/executions?${query}`))) as { id: string }[]).map(({ id }) => id);
  const made = await seedResources(person);
  const { id: server } = await must(api.post(`${workspace}/mcp-servers`, { name: "Shop", url: mcpUrl, agents: true }));
  await must(upload(api, workspaceId, NOTES, { name: "orders of november.csv", type: "text/csv" }));
  await must(upload(api, workspaceId, "Packed on Monday.", { name: "notes.txt" }));
  const { id: podId } = await must(api.post(`${workspace}/pods`, { name: "Spring campaign" }));
  await must(api.post(`${workspace}/spaces`, { name: "Trial of the campaign", podId }));
  await must(api.post(`${workspace}/spaces`, { name: "Bookkeeping" }));
  const { id: old } = await must(api.post(`${space}/workflows`, { name: "Import orders, as it was in spring" }));
  await must(api.patch(`${space}/workflows/${old}/trash`));
  const schedules = (await must(api.get(`${space}/schedules`))) as { id: string; enabled: boolean }[];
  await must(api.post(`${space}/schedules/${schedules.find(({ enabled }) => !enabled)!.id}/run`));
  const input = { amount: 90, purpose: "flowers for the front desk" };
  const asks = { workflowId: ids.get("Approve an expense"), input };
  const { id: answered } = await must(api.post(`${space}/executions`, asks));
  const answer = () => api.patch(`${space}/executions/${answered}/respond`, { approved: true });
  await until(async () => (await answer()).status < 300);
  const workflow = ids.get("Ship an order")!;
  const [run = ""] = await runsOf("status=suspended");
  const [second = "", first = ""] = await runsOf(`workflowId=${workflow}`);
  const { token: invite } = await must(
    api.post(`${workspace}/invites`, { email: "grace@example.com", role: "editor" }),
  );
  return {
    invite: invite as string,
    run,
    workflow,
    runs: [first, second] as [string, string],
    server: server as string,
    ...made,
  };
}

/** Makes a workflow and a base in which nothing is. */
export async function seedBare({ api, space, workspaceId }: Person) {
  const { id: workflow } = await must(api.post(`${space}/workflows`, { name: "Nothing yet" }));
  const { id: base } = await must(api.post(`/v1/workspaces/${workspaceId}/knowledge-bases`, { name: "Nothing yet" }));
  return { workflow: workflow as string, base: base as string };
}
