import type { ServiceBroker } from "moleculer";
import { WORK_PER_EXPRESSION } from "../../core/expressions/limits.ts";
import { compileTemplates } from "../../core/expressions/template.ts";
import { parseDefinition } from "../../core/graph/parse-definition.ts";
import { WorkflowCache } from "../../services/executions/engine/workflow-cache.ts";
import { definition, gives, node } from "../support/definition.ts";

const list = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index));
const faultsOf = (what: unknown) => parseDefinition(what).faults ?? [];

describe("the expressions of one definition", () => {
  const flood = (nodes: number, each: number, expression: string) =>
    definition(
      list(nodes, i =>
        gives(
          `n${i}`,
          list(each, () => expression),
        ),
      ),
    );
  const nested = list(13, () => 0).reduce(text => `(${text}??b)`, "a");

  it("may be two thousand if they are short", () => {
    const { graph } = parseDefinition(flood(200, 10, "{{ input.a + 1 }}"));
    expect(graph?.nodes).toHaveLength(200);
  });

  it.each<[string, unknown]>([
    ["too many", flood(1_900, 26, "{{input.a+1}}")],
    ["too long", flood(10, 10, `{{ ${"1 + ".repeat(2_000)}1 }}`)],
    ["multiplied by the parser", flood(10, 10, `{{ ${nested} }}`)],
    ["hidden behind brackets that stay open", flood(10, 10, `{{ ${"(".repeat(100)}${"a;".repeat(2_000)} }}`)],
  ])("are one fault if they are %s, however many follow", (_, what) => {
    const faults = faultsOf(what).filter(({ message }) => message.includes("in total"));
    expect(faults).toEqual([
      expect.objectContaining({ path: expect.stringMatching(/^\/nodes\/\d+\/data\/value\/\d+$/) }),
    ]);
  });

  it("are no longer parsed when the budget is used up", () => {
    const budget = { left: 2 * WORK_PER_EXPRESSION };
    const { faults } = compileTemplates(
      list(100, () => "{{ a }}"),
      budget,
    );
    expect(faults).toEqual([expect.objectContaining({ path: "/1", message: expect.stringContaining("in total") })]);
    expect(budget.left).toBeLessThan(0);
    expect(budget.left).toBeGreaterThan(-100);
  });

  it("report their places without repeating a huge key for each", () => {
    const { root } = compileTemplates({ ["k".repeat(100_000)]: list(1_000, () => "{{ a }}") });
    const text = JSON.stringify(root, (key, value: unknown) =>
      key === "path" ? value : key === "expression" ? 0 : value,
    );
    expect(text.length).toBeLessThan(400_000);
  });
});

describe("data that is much too large", () => {
  it("is one fault regardless of its content, without faults for its edges", () => {
    const cases = node("s", "switch", { value: 1, cases: list(60_000, () => ({})) });
    const what = { nodes: [cases], edges: list(1_500, () => ({ source: "s", target: "s", sourceHandle: "default" })) };
    expect(faultsOf(what)[0]).toMatchObject({ nodeId: "s", path: "/nodes/0/data/cases" });
    const headers = Object.fromEntries(list(60_000, i => [`h${i}`, {}]));
    expect(faultsOf(definition([node("h", "http", { url: "http://x", headers })]))).toEqual([
      { nodeId: "h", path: "/nodes/0/data/headers", message: "Must have at most 200 entries" },
    ]);
    expect(faultsOf(definition([node("a", "human", { prompt: "?", assignees: list(99_000, () => 0) })]))).toHaveLength(
      1,
    );
  });

  it("checks the cases of a switch once, not for every edge", () => {
    let reads = 0;
    const cases = new Proxy([{ id: "a", equals: 1 }], {
      get: (target, name, receiver) => {
        if (name === "slice") reads++;
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    const targets = list(500, i => gives(`n${i}`, i));
    const what = definition(
      [node("s", "switch", { value: 1, cases }), ...targets],
      ...targets.map(({ id }) => `s:case:a > ${id}`),
    );
    expect(parseDefinition(what).graph?.byId.get("s")?.out).toHaveLength(500);
    expect(reads).toBeLessThanOrEqual(2);
  });

  it("names only a few of many handles", () => {
    const cases = list(200, i => ({ id: `c${i}`, equals: i }));
    const what = definition([node("s", "switch", { value: 1, cases }), gives("t", 1)], "s:nowhere > t");
    const [fault] = faultsOf(what);
    expect(fault?.message).toContain("case:c0");
    expect(fault?.message).not.toContain("case:c10");
  });
});

describe("onError: continue", () => {
  const policy = { onError: "continue" };
  it.each(["condition", "switch", "fail"])("is not a policy of a %s, which has no plain exit", type => {
    const data = { if: true, value: 1, cases: [], message: "no" };
    expect(faultsOf(definition([node("n", type, data, { policy })]))).toEqual([
      { nodeId: "n", path: "/nodes/0/policy/onError", message: expect.stringContaining("Use `route`") },
    ]);
    expect(faultsOf(definition([node("n", type, data, { policy: { onError: "route" } })]))).toEqual([]);
  });

  it("is a policy of every other type", () => {
    expect(faultsOf(definition([node("n", "transform", { value: 1 }, { policy })]))).toEqual([]);
  });
});

describe("compiled definitions", () => {
  const brokerWith = (definitionOf: (id: string) => unknown) => {
    const asked: string[] = [];
    const answer = (_: string, { workflowId }: { workflowId: string }) => {
      asked.push(workflowId);
      return Promise.resolve({ name: workflowId, definition: definitionOf(workflowId) });
    };
    return { asked, broker: { call: answer } as unknown as ServiceBroker };
  };

  it("are compiled once for simultaneous callers, and cached", async () => {
    const { asked, broker } = brokerWith(() => definition([gives("a", "{{ input }}")]));
    const definitions = new WorkflowCache(broker);
    const got = await Promise.all(list(20, () => definitions.get("w", "one", 1)));
    expect(new Set(got).size).toBe(1);
    expect(await definitions.get("w", "one", 1)).toBe(got[0]);
    expect(asked).toEqual(["one"]);
  });

  it("are compiled again after a failure", async () => {
    let failures = 1;
    const { asked, broker } = brokerWith(() => {
      if (failures-- > 0) throw new Error("not now");
      return definition([]);
    });
    const definitions = new WorkflowCache(broker);
    await expect(definitions.get("w", "one", 1)).rejects.toThrow("not now");
    expect((await definitions.get("w", "one", 1)).parsed.graph).toBeDefined();
    expect(asked).toEqual(["one", "one"]);
  });

  it("are cached by weight: heavy ones evict the least recently used ones, light ones do not", async () => {
    const heavy = definition(
      list(10, i =>
        gives(
          `n${i}`,
          list(150, () => "{{ input.a + 1 }}"),
        ),
      ),
    );
    const { asked, broker } = brokerWith(id => (id.startsWith("heavy") ? heavy : definition([gives("a", 1)])));
    const definitions = new WorkflowCache(broker);
    for (const id of ["light", "used", "heavy1", "heavy2", "used", "heavy3", "used", "light"])
      await definitions.get("w", id, 1);
    expect(asked).toEqual(["light", "used", "heavy1", "heavy2", "heavy3", "light"]);
  });
});
