import { readDocument } from "../../core/exchange/document.ts";
import { secondsSince } from "../support/processor-time.ts";

/** Jest cannot interrupt a test without awaits. Each takes about a second, and minutes if its time grew with the square. */
const MAX_S = 20;
let began: NodeJS.CpuUsage;
beforeEach(() => void (began = process.cpuUsage()));
afterEach(() => expect(secondsSince(began)).toBeLessThan(MAX_S));

type Links = Record<string, object>;

const node = (name: string, type = "noOp", parameters: object = {}) => ({
  ...{ name, type: `n8n-nodes-base.${type}`, typeVersion: 3, parameters, position: [0, 0] },
});
const start = node("start", "manualTrigger");
const to = (...names: string[]) => names.map(name => ({ node: name, index: 0 }));

function read(nodes: object[], connections: Links) {
  const { content, warnings } = readDocument({ nodes: [start, ...nodes], connections }) as {
    content: { definition: { nodes: { type: string; data: object }[] } };
    warnings: { message: string }[];
  };
  return { steps: content.definition.nodes.slice(1), warnings: warnings.map(({ message }) => message) };
}

/** A workflow of one node that follows the start. */
const one = (type: string, parameters: object) => read([node("a", type, parameters)], { start: { main: [to("a")] } });

describe("a parameter of an n8n node", () => {
  it("may open very many braces that nothing closes", () => {
    const url = `={{ 1 }}${"{{".repeat(300_000)}`;
    expect(one("httpRequest", { url }).warnings.join()).toContain("becomes too long");
    expect(
      one("postgres", { operation: "executeQuery", query: `=SELECT ${"'{{".repeat(300_000)}` }).steps[0],
    ).toMatchObject({
      type: "sql",
      data: { parameters: [] },
    });
    const queryReplacement = "{{,".repeat(300_000);
    const { parameters } = one("postgres", { operation: "executeQuery", query: "x", options: { queryReplacement } })
      .steps[0]!.data as { parameters: unknown[] };
    expect(parameters).toHaveLength(300_000);
  });

  it("has its expressions where the braces close", () => {
    const query = "=a '{{ $json.a }}' b {{ $json.b }} '{{ $json.c }} {{ $json.d }}' {{";
    expect(
      one("postgres", { operation: "executeQuery", query: query.replace("{{ $json.d }}'", "'") }).steps[0],
    ).toMatchObject({
      data: { query: "a $1 b $2 '$3 ' {{", parameters: ["{{ input.a }}", "{{ input.b }}", "{{ input.c }}"] },
    });
    const queryReplacement = "=a,{{ [1, 2].length }},{{ $json.b }}";
    expect(
      one("postgres", { operation: "executeQuery", query: "x", options: { queryReplacement } }).steps[0],
    ).toMatchObject({ data: { parameters: ["a", expect.any(String), "{{ input.b }}"] } });
  });

  it("is kept as it was when the workflow has too many expressions", () => {
    const { steps, warnings } = one("httpRequest", { url: `=${"{{ $json.a }}".repeat(5_001)}` });
    expect(steps[0]?.type).toBe("n8n-nodes-base.httpRequest");
    expect(warnings.join()).toContain("expressions beyond the first 5000 of the workflow");
  });

  it("is kept as it was when its chain of operators is too long", () => {
    const { steps, warnings } = one("httpRequest", { url: `={{ ${"1+".repeat(4_900)}1 }}` });
    expect(steps[0]?.type).toBe("n8n-nodes-base.httpRequest");
    expect(warnings.join()).toContain("nested too deeply");
  });

  it("is kept as it was when its code declares too many names", () => {
    const names = Array.from({ length: 12_000 }, (_, at) => `a${at.toString(36)}`);
    const { steps, warnings } = one("code", { jsCode: `let ${names.join(",")};` });
    expect(steps[0]?.type).toBe("n8n-nodes-base.code");
    expect(warnings.join()).toContain("declares more than 2000 names");
  });
});

describe("an n8n workflow", () => {
  const many = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`);

  it("may have thousands of exclusive ways to one node", () => {
    const count = 9_000;
    const { steps } = read([node("s", "switch", { mode: "expression", numberOutputs: count }), node("z")], {
      start: { main: [to("s")] },
      s: { main: Array.from({ length: count }, () => to("z")) },
    });
    expect(steps).toHaveLength(2);
  });

  it("may have a thousand loops inside one another, of which the outer ones are not converted", () => {
    const loops = many(980, "l");
    const inner = many(980, "n");
    const after = (names: string[], at: number, last: string) => names[at + 1] ?? last;
    const connections: Links = { start: { main: [to("l0")] } };
    loops.forEach((name, at) => {
      connections[name] = { main: [to(loops[at - 1] ?? "end"), to(after(loops, at, "n0"))] };
    });
    inner.forEach((name, at) => (connections[name] = { main: [to(after(inner, at, loops.at(-1)!))] }));
    const nodes = [...loops.map(name => node(name, "splitInBatches")), ...inner.map(name => node(name)), node("end")];
    const { warnings } = read(nodes, connections);
    expect(warnings.join()).toContain("too many nodes are inside loops");
  });

  it("may have a long chain of parts that serve a node", () => {
    const names = many(1_900, "p");
    const connections: Links = { start: { main: [to("agent")] } };
    names.forEach((name, at) => (connections[name] = { ai_tool: [to(names[at + 1] ?? "agent")] }));
    const { steps } = read(
      [...names.map(name => node(name, "unknown")), node("agent", "httpRequest", { url: "x" })],
      connections,
    );
    expect(steps).toHaveLength(1);
  });
});

describe("nodes of an n8n workflow", () => {
  it("may be merged many times in a row, which doubles the expression each time", () => {
    const names = Array.from({ length: 40 }, (_, at) => `merge ${at}`);
    const merges = names.map(name => node(name, "merge", { mode: "combine", combineBy: "combineByPosition" }));
    const links = names.slice(1).map((name, at) => {
      const both = [0, 1].map(index => ({ node: name, type: "main", index }));
      return [names[at]!, { main: [both] }];
    });
    const first = { main: [[0, 1].map(index => ({ node: names[0], type: "main", index }))] };
    const { steps } = read(merges, { start: first, ...Object.fromEntries(links) });
    expect(steps).toHaveLength(40);
    expect(JSON.stringify(steps).length).toBeLessThan(200_000);
  });

  it("get ids of their own where thousands have the same letters", () => {
    const marks = (at: number) => at.toString(4).replace(/\d/g, digit => "!?.,"[Number(digit)]!);
    const nodes = Array.from({ length: 1_900 }, (_, at) => node(`a${marks(at)}`));
    const { steps } = read(nodes, {}) as unknown as { steps: { id: string }[] };
    expect(steps).toHaveLength(nodes.length);
    expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
  });
});
