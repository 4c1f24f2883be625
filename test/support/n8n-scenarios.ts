import { completes, type Scenario } from "./scenario.ts";

const order = (country: string, express: boolean) => () => ({ id: 7, country, express, items: [1, 2] });
const contact = (status: string, visits: number): Pick<Scenario, "service" | "input"> => ({
  service: ({ body }) => ({ body: { name: body.email, status, visits } }),
  input: api => ({ api, email: "ada@example.com" }),
});

/** The behaviour of the workflows in test/fixtures/n8n, both in n8n and here. */
export const N8N_SCENARIOS: Scenario[] = [
  {
    file: "lead-enrichment",
    says: "tries again, and takes the way for what is large",
    service: ({ times, query }) =>
      times < 3 ? { status: 503 } : { body: { name: query.get("domain"), employees: 80, country: "AT" } },
    input: api => ({ api, email: "ada@example.com" }),
    then(ran) {
      const company = { name: "example.com", size: 80 };
      completes({ email: "ada@example.com", company, score: 90, vip: true })(ran);
      expect(ran.calls).toHaveLength(3);
      expect(ran.calls[0]?.headers).toMatchObject({ "accept-language": "en", "x-api-key": "a-key-for-companies" });
    },
  },
  {
    file: "lead-enrichment",
    says: "takes the other way, and keeps braces that are text",
    service: () => ({ body: { employees: 80, country: "DE" } }),
    input: api => ({ api, email: "ada@example.com" }),
    then: completes({ score: 10, vip: false, note: "{{ too small }}" }),
  },
  {
    file: "nightly-report",
    says: "runs the code and sends what it gave",
    service: ({ path }) =>
      path === "/orders" ? { body: [{ amount: 3 }, { amount: 4.5 }], headers: { "x-shop": "Graz" } } : {},
    input: api => ({ api }),
    then({ run, calls }) {
      expect(run.status).toBe("completed");
      expect(calls[1]).toMatchObject({ path: "/reports", body: { text: "2 orders, 7.5 in all", from: "Graz" } });
      expect(calls[1]?.headers["content-type"]).toBe("application/json");
    },
  },
  {
    file: "nightly-report",
    says: "stops with the message that it was given",
    service: () => ({ status: 503 }),
    input: api => ({ api }),
    then: ({ run }) => expect(run).toMatchObject({ status: "failed", error: { message: "The shop answered 503" } }),
  },
  {
    file: "order-routing",
    says: "goes by the first rule, in whatever case",
    input: order("AT", true),
    then: completes({ label: "Order 7 by post" }),
  },
  {
    file: "order-routing",
    says: "goes by the second rule",
    input: order("DE", true),
    then: completes({ label: "Order 7 by air" }),
  },
  {
    file: "order-routing",
    says: "goes by no rule",
    input: () => ({ id: 8, country: "DE", items: [] }),
    then: completes({ label: "Order 8 by nobody" }),
  },
  {
    file: "batch-invoices",
    says: "loops, and goes on where an item fails",
    service: ({ path, body }) =>
      path === "/invoices"
        ? {
            body: {
              data: { invoices: [1, 2, 3].map(number => ({ number, amount: 10, email: `${number}@x.example` })) },
            },
          }
        : { status: body.to === "2@x.example" ? 422 : 200 },
    input: api => ({ api }),
    then(ran) {
      completes({ sent: 2, of: 3, failed: [2] })(ran);
      expect(ran.calls.slice(1).map(({ body }) => body.text)).toEqual([1, 2, 3].map(n => `Invoice ${n}: 12 EUR`));
    },
  },
  {
    file: "older-contact-sync",
    says: "takes the way of what is new",
    ...contact("new", 0),
    then(ran) {
      completes({ greeting: "Welcome, ada@example.com <ada@example.com>", priority: 1, flags: { new: true } })(ran);
      expect(ran.calls[0]).toMatchObject({ method: "POST", body: { email: "ada@example.com", source: "crm" } });
      expect(ran.calls[0]?.query.get("upsert")).toBe("1");
      expect(ran.calls[0]?.headers["x-client"]).toBe("sync");
    },
  },
  {
    file: "merge-orders",
    says: "joins by fields, by position, and takes one branch",
    service: ({ path }) =>
      path === "/customers"
        ? {
            body: {
              customers: [
                { id: "a", name: "Ada" },
                { id: "b", name: "Bo" },
              ],
            },
          }
        : { body: { orders: [50, 100, 10].map((total, i) => ({ customerId: "abc"[i], total })) } },
    input: api => ({ api }),
    then: completes({ lines: ["Ada: 60", "Bo: 120", "nobody: 12"], over: 1 }),
  },
  {
    file: "due-dates",
    says: "counts and shows days",
    input: () => ({ issued: "2026-01-30T09:00:00.000Z", days: 30 }),
    then: completes({
      due: "Sunday, 1 March 2026",
      remindAt: "2026-02-26T07:00:00.000Z",
      month: 3,
      year: "26",
      isPast: expect.any(Boolean),
    }),
  },
  ...[
    ["lost", "lost"],
    ["active", "active"],
    ["gone", "other"],
  ].map(([status = "", kind]): Scenario => ({
    file: "older-contact-sync",
    says: `takes the way of what is ${status}`,
    ...contact(status, 1),
    then: completes({ name: "ada@example.com", status, kind }),
  })),
];
