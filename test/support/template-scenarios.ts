import { newWorkflow } from "./api.ts";
import { definition, gives, node } from "./definition.ts";
import { answer, completes, type Scenario } from "./scenario.ts";
import type { StandInCall } from "./stand-ins.ts";

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>Blog</title>
<item><title><![CDATA[Fish & <b>chips</b>]]></title><link>https://b.example/1</link><pubDate>Tue, 03 Mar 2026 10:00:00 GMT</pubDate></item>
<item><title>Caf&#233; &lt;open&gt;</title><link>https://b.example/2</link><pubDate>Wed, 04 Mar 2026 10:00:00 GMT</pubDate></item>
<item><title>Old</title><link>https://b.example/0</link><pubDate>Tue, 03 Mar 2020 10:00:00 GMT</pubDate></item></channel></rss>`;
const ATOM =
  '<feed><entry><title>T</title><link href="https://a/1"/><updated>2020-01-01T00:00:00Z</updated></entry></feed>';

const issue = (title: string, body: string) => (url: string) => ({
  action: "opened",
  issue: { number: 1, title, body, url, html_url: "https://github.com/acme/shop/issues/1" },
});

/** A shop in which one kind of call fails. */
const shop = (failing: string) => (call: StandInCall) =>
  call.method === "POST" && call.path === failing ? { status: 422 } : { body: { id: "S-1" } };
const order = (api: string) => ({ api, order: { id: "A-1" } });
const undoing = ({ method, path }: StandInCall) => (method === "DELETE" ? [path] : []);

const SALES = [
  { amount: 10.5, country: "AT" },
  { amount: 2, country: "DE" },
  { amount: 1, country: "AT" },
];

/** The expected behaviour of each template, case by case. */
export const TEMPLATE_SCENARIOS: Scenario[] = [
  {
    file: "expense-approval",
    says: "lets small amounts pass",
    input: () => ({ amount: 50, employee: "Ada", purpose: "Pens" }),
    then: completes({ decision: "approved", by: "policy", amount: 50 }),
  },
  {
    file: "expense-approval",
    says: "asks about large ones",
    input: () => ({ amount: 500, employee: "Ada", purpose: "Desk" }),
    meanwhile: answer({ approved: true, data: { comment: "fine" } }),
    then: completes({ decision: "approved", amount: 500, comment: "fine" }),
  },
  {
    file: "expense-approval",
    says: "takes a no",
    input: () => ({ amount: 500 }),
    meanwhile: answer({ approved: false }),
    then: completes({ decision: "rejected" }),
  },
  {
    file: "api-poll-notification",
    says: "tells what is grave enough",
    service: () => ({
      body: {
        items: [
          { title: "A", level: 4 },
          { title: "B", level: 1 },
        ],
      },
    }),
    input: url => ({ url }),
    then: completes({ told: 1, people: 1 }),
  },
  {
    file: "api-poll-notification",
    says: "tells nothing where there is nothing",
    service: () => ({ body: { items: [] } }),
    input: url => ({ url }),
    then: completes({ told: 0, people: 0 }),
  },
  {
    file: "lead-enrichment",
    says: "scores what a busy service knows",
    service: ({ times, query }) =>
      times < 3 ? { status: 503 } : { body: { name: query.get("domain"), employees: 300, country: "AT" } },
    input: api => ({ email: "Ada@Example.com", name: "Ada", api }),
    then(ran) {
      completes({ score: 90, enriched: true, company: { name: "example.com" } })(ran);
      expect(ran.calls).toHaveLength(3);
    },
  },
  {
    file: "lead-enrichment",
    says: "passes a lead on as it came where nothing answers",
    input: () => ({ email: "ada@example.com", name: "Ada", api: "http://10.0.0.1" }),
    then: completes({ score: 10, enriched: false, reason: "outbound_refused" }),
  },
  {
    file: "incident-triage",
    says: "asks who takes a critical one",
    input: () => ({ title: "Down", service: "shop", severity: "Critical" }),
    meanwhile: answer({ approved: true, data: { note: "disk" } }),
    then: completes({ state: "taken", note: "disk" }),
  },
  {
    file: "incident-triage",
    says: "escalates when nobody answers",
    input: () => ({ title: "Down", service: "shop", severity: "critical", answerWithinMs: 30 }),
    then: completes({ state: "escalated", people: 1 }),
  },
  {
    file: "incident-triage",
    says: "tells of a major one",
    input: () => ({ title: "Slow", service: "shop", severity: "major" }),
    then: completes({ state: "told", people: 1 }),
  },
  {
    file: "nightly-report",
    says: "sums up and sends",
    service: ({ path }) => ({ body: path === "/orders" ? SALES : {} }),
    input: url => ({ ordersUrl: `${url}/orders`, reportUrl: `${url}/report` }),
    then(ran) {
      completes({ orders: 3, total: 13.5, byCountry: { AT: 11.5, DE: 2 } })(ran);
      expect(ran.calls[1]).toMatchObject({ path: "/report", body: { text: "3 orders, 13.5 in all" } });
    },
  },
  {
    file: "order-compensation",
    says: "fulfils an order",
    service: shop("none"),
    input: order,
    then: completes({ state: "fulfilled", shipment: { id: "S-1" } }),
  },
  {
    file: "order-compensation",
    says: "releases the goods when the payment fails",
    service: shop("/payments"),
    input: order,
    then({ run, calls }) {
      expect(run).toMatchObject({ status: "failed", error: { code: "order_undone" } });
      expect(calls.flatMap(undoing)).toEqual(["/reservations/A-1"]);
    },
  },
  {
    file: "order-compensation",
    says: "gives the money back, then releases the goods, when shipping fails",
    service: shop("/shipments"),
    input: order,
    then({ run, calls }) {
      expect(run).toMatchObject({ status: "failed", error: { code: "order_undone" } });
      expect(calls.flatMap(undoing)).toEqual(["/payments/A-1", "/reservations/A-1"]);
    },
  },
  {
    file: "form-intake",
    says: "stores what is right",
    service: () => ({ body: { id: 7 } }),
    input: storeUrl => ({ name: " Ada ", email: "Ada@Example.com", message: "Hi", storeUrl }),
    then(ran) {
      completes({ stored: true, id: 7 })(ran);
      expect(ran.calls[0]?.body).toMatchObject({ name: "Ada", email: "ada@example.com" });
    },
  },
  {
    file: "form-intake",
    says: "says what is wrong",
    input: () => ({ name: " ", email: "nobody" }),
    then: completes({ stored: false, errors: [{ field: "name" }, { field: "email" }] }),
  },
  {
    file: "batch-calls",
    says: "says which entries failed",
    service: ({ body }) => ({ status: body.id === 2 ? 400 : 200 }),
    input: url => ({ items: [1, 2, 3].map(id => ({ id })), url }),
    then: completes({ sent: 2, failed: [{ id: 2, ok: false }] }),
  },
  {
    file: "batch-calls",
    says: "takes no entries, or one",
    input: url => ({ items: [{ id: 1 }], url }),
    then: completes({ sent: 1, failed: [] }),
  },
  {
    file: "signed-relay",
    says: "passes on what a webhook has let through",
    input: target => ({ event: { näh: "𝔵" }, target }),
    then(ran) {
      completes({ accepted: true })(ran);
      expect(ran.calls[0]?.body).toEqual({ näh: "𝔵" });
    },
  },
  {
    file: "rss-poll",
    says: "finds what is new",
    service: () => ({ body: FEED, headers: { "content-type": "application/rss+xml" } }),
    input: feedUrl => ({ feedUrl, since: "2026-01-01T00:00:00Z" }),
    then: completes([
      { title: "Café <open>", link: "https://b.example/2", at: "2026-03-04T10:00:00.000Z" },
      { title: "Fish & chips", link: "https://b.example/1", at: "2026-03-03T10:00:00.000Z" },
    ]),
  },
  {
    file: "rss-poll",
    says: "reads Atom too",
    service: () => ({ body: ATOM }),
    input: feedUrl => ({ feedUrl }),
    then: completes([{ title: "T", link: "https://a/1", at: "2020-01-01T00:00:00.000Z" }]),
  },
  {
    file: "rss-poll",
    says: "tells nobody of what is old",
    service: () => ({ body: ATOM }),
    input: feedUrl => ({ feedUrl, since: "2026-01-01T00:00:00Z" }),
    then: completes([]),
  },
  {
    file: "uptime-check",
    says: "is content with what is up",
    input: url => ({ url }),
    then: completes({ state: "up", status: 200 }),
  },
  {
    file: "uptime-check",
    says: "says that it came back",
    service: ({ times }) => ({ status: times <= 3 ? 500 : 200 }),
    input: url => ({ url, againAfterMs: 1 }),
    then: completes({ state: "recovered" }),
  },
  {
    file: "uptime-check",
    says: "fails with what stays down",
    input: () => ({ url: "http://10.0.0.1", againAfterMs: 1 }),
    then: ({ run }) => expect(run).toMatchObject({ status: "failed", error: { code: "website_down" } }),
  },
  {
    file: "github-issue-triage",
    says: "labels a bug and asks for the steps",
    input: issue("Crash when saving", "It just crashes."),
    then(ran) {
      completes({ kind: "bug", asked: true })(ran);
      const told = ran.calls.map(({ path, body }) => [path, body.labels ?? "comment"]);
      expect(told).toEqual([
        ["/labels", ["bug"]],
        ["/comments", "comment"],
      ]);
      for (const { headers } of ran.calls) expect(headers.authorization).toBe("Bearer a-token-for-github");
    },
  },
  {
    file: "github-issue-triage",
    says: "asks nothing where the steps are there",
    input: issue("Error", "Steps to reproduce: 1. Save"),
    then: completes({ kind: "bug", asked: false }),
  },
  {
    file: "github-issue-triage",
    says: "keeps a security problem out of sight",
    input: issue("Exploit", "A vulnerability"),
    then(ran) {
      completes({ kind: "security", told: true })(ran);
      expect(ran.calls).toHaveLength(0);
    },
  },
  {
    file: "github-issue-triage",
    says: "passes over what is not new",
    input: () => ({ action: "closed", issue: {} }),
    then: completes({ kind: null }),
  },
  {
    file: "workflow-for-each",
    says: "waits for all and says how it went",
    input: async (_, { api, space }) => ({
      workflowId: await newWorkflow(
        api,
        space,
        definition(
          [
            node("c", "condition", { if: "{{ input.good }}" }),
            gives("yes", "{{ input.n }}"),
            node("no", "fail", { message: "No {{ input.n }}" }),
          ],
          "c:true > yes",
          "c:false > no",
        ),
      ),
      items: [
        { good: true, n: 1 },
        { good: false, n: 2 },
      ],
    }),
    then: completes({ good: 1, bad: 1, results: [{ ok: true, output: 1 }, { ok: false }] }),
  },
];
