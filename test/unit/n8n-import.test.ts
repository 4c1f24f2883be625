import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { readDocument } from "../../core/exchange/document.ts";
import type { Json } from "../support/api.ts";
import { chain, imported, type N8nFile, node } from "../support/n8n.ts";

const FOLDER = join(__dirname, "../fixtures/n8n");
const fixture = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")) as N8nFile;

describe("workflows from the n8n community", () => {
  it.each(readdirSync(FOLDER).map(file => file.replace(".json", "")))(
    "lose no node and no edge, and name nodes that cannot run: %s",
    name => {
      const source = fixture(name);
      const { definition, faults, warnings } = imported(source);
      const serves = (name: string) => Object.keys(source.connections[name] ?? {}).some(kind => kind.startsWith("ai_"));
      const steps: Json[] = source.nodes.filter(
        ({ type, name }) => type !== "n8n-nodes-base.stickyNote" && !serves(name as string),
      );
      // What became a part of an agent is named there.
      for (const { name } of source.nodes.filter(one => serves(one.name as string)))
        expect(warnings.some(({ message }) => message.includes(`"${name}"`))).toBe(true);
      const made = definition.nodes.filter(({ name }) => !name.startsWith("Items of "));
      expect(made.map(one => one.name).sort()).toEqual(steps.map(one => one.name).sort());
      const notes = source.nodes.filter(({ type }) => type === "n8n-nodes-base.stickyNote");
      expect(definition.notes ?? []).toHaveLength(notes.length);
      for (const { id, type, data } of definition.nodes) {
        const isKept = type.includes(".");
        expect({ id, fault: faults[id] }).toEqual({ id, fault: isKept ? "/type" : faults[id] });
        if (!isKept) continue;
        const original = source.nodes.find(one => one.name === definition.nodes.find(n => n.id === id)!.name);
        expect(data.original).toMatchObject({ type: original.type, parameters: original.parameters });
        expect(warnings).toContainEqual({ nodeId: id, node: original.name, message: data.note });
      }
    },
  );

  it.each([
    "nightly-report",
    "order-routing",
    "batch-invoices",
    "older-contact-sync",
    "chat-assistant",
    "merge-orders",
    "due-dates",
  ])("run without changes: %s", name => expect(imported(fixture(name)).faults).toEqual({}));

  it.each([
    ["lead-enrichment", ["look_up_company"]],
    ["orders-to-postgres", ["mail_the_office", "store_the_order"]],
    ["error-alert", ["tell_the_team"]],
    ["sheet-to-mysql", ["keep_the_number", "new_leads", "note_the_import", "store_the_lead"]],
  ])("run once their credentials are chosen: %s", (name, ids) =>
    expect(imported(fixture(name)).faults).toEqual(Object.fromEntries(ids.map(id => [id, "/data/credential"]))),
  );

  it("name the missing workflow if they call another one", () => {
    const { faults, warnings } = imported(fixture("shipping-label"));
    expect(faults).toEqual({ find_the_address: "/data/workflowId" });
    expect(warnings).toContainEqual(expect.objectContaining({ message: expect.stringContaining("Address lookup") }));
  });

  it("ask for the credentials that their nodes use", () => {
    const { nodes, faults } = imported(fixture("lead-enrichment"));
    const wanted = { $credential: { name: "Company API", type: "header" } };
    expect(nodes.look_up_company.data.credential).toEqual(wanted);
    expect(faults).toEqual({ look_up_company: "/data/credential" });
  });

  it.each<[object, object, object | undefined]>([
    [{}, { httpBasicAuth: "Old style" }, { name: "Old style", type: "basic" }],
    [
      { authentication: "predefinedCredentialType", nodeCredentialType: "slackApi" },
      { slackApi: { id: "1", name: "Slack" }, httpBasicAuth: { id: "2", name: "Unused" } },
      { name: "Slack" },
    ],
    [{}, { googleSheetsOAuth2Api: { id: "1", name: "Sheets" } }, { name: "Sheets", type: "oauth2_code" }],
    [
      { authentication: "genericCredentialType", genericAuthType: "httpDigestAuth" },
      { httpDigestAuth: "D" },
      undefined,
    ],
    [{ authentication: "genericCredentialType", genericAuthType: "httpHeaderAuth" }, {}, undefined],
    [{}, { slackApi: { id: "1", name: " " } }, undefined],
  ])("name the credential that they use: %j, %j", (parameters, credentials, wanted) => {
    const call = node("httpRequest", { url: "https://api.example.com", ...parameters }, { credentials });
    const { definition, warnings } = imported(chain(node("manualTrigger"), call));
    expect(definition.nodes.at(-1)!.data.credential).toEqual(wanted && { $credential: wanted });
    const isLeftOut = warnings.some(({ message }) => message.startsWith("Its authentication is left out"));
    expect(isLeftOut).toBe(wanted === undefined);
  });

  it("keep nodes without a counterpart, and name them", () => {
    const { nodes, edges, faults, warnings } = imported(fixture("support-agent"));
    expect(faults).toEqual({
      gmail_trigger: "/type",
      ai_agent: "/type",
      python: "/type",
      fetch_in_code: "/type",
      forgotten: "/type",
      execute_workflow: "/data/workflowId",
    });
    expect(edges).toEqual([
      "gmail_trigger:out > ai_agent",
      "old_trigger:true > ai_agent",
      "ai_agent:out > answer",
      "answer:out > execute_workflow",
      "execute_workflow:out > python",
      "python:out > fetch_in_code",
    ]);
    expect(nodes.old_trigger).toMatchObject({ type: "condition", data: { if: false } });
    const said = (nodeId: string) => warnings.filter(one => one.nodeId === nodeId).map(({ message }) => message);
    expect(said("ai_agent")).toContainEqual(expect.stringContaining('"Chat Model"'));
    expect(nodes.answer.data.value.at).toBe("{{ $now() }}");
    expect(said("forgotten")[0]).toContain("no node leads to it");
    expect(said("execute_workflow")[0]).toContain("Send the answer");
    expect(said("python")).toEqual([expect.stringContaining("python"), expect.stringContaining('"Gone" is left out')]);
  });

  it("are imported with a list of points to check", () => {
    const { warnings } = imported(fixture("lead-enrichment"));
    const messages = warnings.map(({ nodeId, message }) => `${nodeId}: ${message}`);
    for (const part of [
      "null: n8n runs a step once for each item",
      "null: These settings are left out: errorWorkflow, timezone",
    ])
      expect(messages).toContainEqual(expect.stringContaining(part));
    expect(messages).toContainEqual(expect.stringMatching(/^webhook: Create a webhook/));
  });

  it("get an additional step if a loop's last step returns more than the item of n8n", () => {
    const { nodes, edges } = imported(fixture("orders-to-postgres"));
    expect(nodes.loop_over_items_items).toMatchObject({
      ...{ type: "transform", parentId: "loop_over_items", name: "Items of Loop Over Items" },
      data: { value: "{{ steps.store_the_order.row }}" },
    });
    expect(edges).toContain("store_the_order:out > loop_over_items_items");
    expect(nodes.count.data.code).toContain("$toItems(steps.loop_over_items?.flat())");
  });

  it("have steps that do not cover one another, although steps are wider than nodes of n8n", () => {
    const places = Object.values(imported(fixture("lead-enrichment")).nodes).map(({ position }) => position!);
    const pairs = places.flatMap((one, n) => places.slice(n + 1).map(other => ({ one, other })));
    const [width, height] = [224, 56];
    expect(
      pairs.filter(({ one, other }) => Math.abs(one.x - other.x) < width && Math.abs(one.y - other.y) < height),
    ).toEqual([]);
  });

  it("become maps for loops, with the body inside", () => {
    const { nodes, edges } = imported(fixture("batch-invoices"));
    expect(nodes.loop_over_items).toMatchObject({ type: "map", data: { items: "{{ [steps.split_out] }}" } });
    expect(nodes.send_mail).toMatchObject({ parentId: "loop_over_items", position: { x: 330, y: 80 } });
    expect(edges).toContain("send_mail:error > not_sent");
    expect(edges.filter(edge => edge.startsWith("loop_over_items"))).toEqual(["loop_over_items:out > count"]);
  });
});

const TYPES = [
  "manualTrigger",
  "webhook",
  "scheduleTrigger",
  "set",
  "httpRequest",
  "if",
  "filter",
  "switch",
  "merge",
  "wait",
  "code",
  "function",
  "splitInBatches",
  "splitOut",
  "executeWorkflow",
  "noOp",
  "stopAndError",
  "respondToWebhook",
  "stickyNote",
  "slack",
];
const word = fc.constantFrom(
  "={{ $json.a }}",
  "={{ $('B').item.json.x + 1 }}",
  "={{",
  "{{ x }}",
  "raw",
  "json",
  "",
  "5",
  "__proto__",
);
const key = fc.constantFrom(
  ..."assignments conditions rules values mode value name type options url body jsonBody sendBody operation operator".split(
    " ",
  ),
  ..."leftValue rightValue amount unit batchSize jsCode parameters rule interval respondWith include fallbackOutput".split(
    " ",
  ),
);
const json = fc.letrec<{ any: unknown }>(tie => ({
  any: fc.oneof(
    { maxDepth: 5 },
    word,
    fc.constantFrom(null, true, -1, 2.5),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(key, tie("any"), { maxKeys: 6 }),
  ),
})).any;
const name = fc.constantFrom("A", "B", "C", "D", "E");
const target = fc.record({ node: name, type: fc.constant("main"), index: fc.nat(2) });
const wild = fc.record({
  nodes: fc.uniqueArray(
    fc.record(
      {
        name,
        type: fc.constantFrom(...TYPES).map(type => `n8n-nodes-base.${type}`),
        typeVersion: fc.constantFrom(1, 2, 3, 3.4),
        parameters: fc.dictionary(key, json),
        disabled: fc.boolean(),
        onError: fc.constantFrom("continueErrorOutput", "stopWorkflow", "continueRegularOutput"),
        retryOnFail: fc.boolean(),
      },
      { requiredKeys: ["name", "type"] },
    ),
    { selector: one => one.name },
  ),
  connections: fc.dictionary(name, fc.record({ main: fc.array(fc.array(target, { maxLength: 3 }), { maxLength: 3 }) })),
});

test("turns any n8n file into a definition with all nodes, and validation names each kept one", () => {
  fc.assert(
    fc.property(wild, file => {
      const { definition, faults } = imported(file);
      const steps: { name: string }[] = file.nodes.filter(({ type }) => !type.endsWith("stickyNote"));
      const made = definition.nodes.filter(({ name }) => !name.startsWith("Items of "));
      expect(made.map(one => one.name).sort()).toEqual(steps.map(one => one.name).sort());
      for (const { id, data } of definition.nodes.filter(({ type }) => type.includes(".")))
        expect({ fault: faults[id], note: data.note }).toEqual({
          fault: "/type",
          note: expect.stringContaining("Kept"),
        });
    }),
    { numRuns: 150 },
  );
});

describe("a file", () => {
  const faultsOf = (document: unknown) => readDocument(document).faults ?? [];

  it.each<[string, unknown, string]>([
    ["with too many nodes", { nodes: Array.from({ length: 2_001 }, () => node("noOp")), connections: {} }, "/nodes"],
    ["with a node without a type", { nodes: [{ name: "A" }], connections: {} }, "/nodes/0/type"],
    [
      "with two nodes of one name",
      {
        nodes: [
          { ...node("noOp"), name: "A" },
          { ...node("noOp"), name: "A" },
        ],
        connections: {},
      },
      "/nodes/1/name",
    ],
    ["with connections that are no such", { nodes: [], connections: { A: 5 } }, "/connections/A"],
    [
      "with too many connections",
      {
        nodes: [node("noOp")],
        connections: { A: { main: [Array.from({ length: 10_001 }, () => ({ node: "B", index: 0 }))] } },
      },
      "/connections",
    ],
  ])("is rejected with the place: %s", (_, document, path) => {
    expect(faultsOf(document)).toContainEqual({ path, message: expect.any(String) as unknown });
  });

  it.each<[string, Json]>([
    ["of loops in loops", Array.from({ length: 60 }, () => node("splitInBatches", {}, { typeVersion: 3 }))],
    ["of very many choices", Array.from({ length: 1_900 }, () => node("if", {}, { typeVersion: 2 }))],
    ["of a long way", Array.from({ length: 1_900 }, () => node("wait", { amount: 1 }))],
  ])("is read in limited time: %s", (_, list: Json[]) => {
    const document = chain(node("manualTrigger"), ...list);
    // Every node leads to the next one by each of its outputs, and the last one back to the first.
    for (const { main } of Object.values(document.connections)) (main as unknown[][]).push(main[0] as unknown[]);
    document.connections[list.at(-1).name] = { main: [[{ node: list[0].name, type: "main", index: 0 }]] };
    expect(imported(document).definition.nodes).toHaveLength(list.length + 1);
  });
});
