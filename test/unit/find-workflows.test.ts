import { find } from "../../services/workflows/find.ts";

afterEach(() => void jest.restoreAllMocks());

type Handler = (this: unknown, ctx: unknown) => Promise<{ items: { id: string }[] }>;

it("a search of workflows that takes too long ends within a page, with what it has found", async () => {
  let time = 0;
  // Each look at the clock takes a tenth of the time limit.
  jest.spyOn(performance, "now").mockImplementation(() => (time += 100));
  const items = Array.from({ length: 20 }, (_, n) => ({ id: String(n), name: "order", definition: { nodes: [] } }));
  const store = { tenant: () => ({ find: () => Promise.resolve({ items, next: "more" }) }) };
  const ctx = { params: { workspaceId: "w", q: "order", limit: 50 } };
  const { items: found } = await (find.handler as Handler).call({ store }, ctx);
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(items.length);
});
