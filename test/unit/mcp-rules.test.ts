import { changesToTell, type SeenChange, compareTools } from "../../core/mcp/tool-changes.ts";
import { definitionDiff, definitionText, type ToolDefinition } from "../../core/mcp/definition.ts";
import { syncDelay } from "../../core/mcp/sync-delay.ts";
import { toolText, splitName } from "../../core/mcp/tool-text.ts";
import { toolUses } from "../../core/graph/uses.ts";
import { listedTools } from "../../services/mcp/listed-tools.ts";

describe("the text that a tool is found by", () => {
  it.each([
    ["create_issue", "create issue"],
    ["createIssue", "create Issue"],
    ["getHTTPResponse2xx", "get HTTP Response2xx"],
    ["pod.logs/tail-now", "pod logs tail now"],
    ["größeÄndern", "größe Ändern"],
    ["ping", "ping"],
  ])("contains the words of %s", (name, words) => {
    expect(splitName(name)).toBe(words);
  });

  it("contains title, description, arguments to the second level and the server, within limits", () => {
    const inputSchema = {
      properties: {
        userId: { type: "string" },
        filter: { properties: { dueDate: {}, deep: { properties: { x: {} } } } },
      },
    };
    const tool = { name: "listTasks", title: "Tasks", description: "Lists what is to be done.", inputSchema };
    expect(toolText(tool, "To-do")).toBe(
      "list Tasks (listTasks)\nTasks\nLists what is to be done.\nuser Id, filter, due Date, deep\nTo-do",
    );
    expect(toolText({ ...tool, description: "x".repeat(100_000) }, "s").length).toBeLessThanOrEqual(8_000);
    for (const odd of [null, [], "x", { properties: [] }, { properties: null }])
      expect(toolText({ name: "a", description: "", inputSchema: odd }, "s")).toBe("a\ns");
  });
});

describe("a long listing", () => {
  it("is processed a few tools at a time, and yields to other work between them", async () => {
    const tools = Array.from({ length: 500 }, (_, at) => ({ name: `t${at}`, description: "", inputSchema: {} }));
    const about = { dropped: [], server: { name: "", version: "" }, protocolVersion: "", transport: "sse" as const };
    let isOver = false;
    let turns = 0;
    const others = () => void (!isOver && ++turns && setImmediate(others));
    setImmediate(others);
    expect((await listedTools({ tools, ...about })).tools).toHaveLength(500);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(40);
  });
});

describe("notifications about changes of tools", () => {
  const HOUR = 3_600_000;
  const at = (hours: number) => new Date(hours * HOUR);
  /** Syncs at these hours, each with what changed in it: the hours and names of the notices. */
  function noticesOf(syncs: [hour: number, ...changes: [tool: string, field: string][]][]) {
    const changes: SeenChange[] = [];
    let toldAt: Date | null = null;
    let since = at(0);
    return syncs.flatMap(([hour, ...found]): [number, string[]][] => {
      const now = at(hour);
      const about = { kind: "changed", since, at: now };
      changes.push(...found.map(([name, field]) => ({ toolId: name, name, fields: [field], ...about })));
      changes.push({ toolId: "x", name: "x", fields: [], ...about, kind: "removed" });
      const names = changesToTell(changes, toldAt, now);
      since = now;
      if (names.length > 0) toldAt = now;
      return names.length > 0 ? [[hour, names]] : [];
    });
  }

  it("are sent at once for a new change, and once a day while changes continue", () => {
    const restless = Array.from({ length: 200 }, (_, n): [number, [string, string]] => [
      1 + n / 4,
      ["a", "description"],
    ]);
    expect(noticesOf(restless).map(([hour]) => hour)).toEqual([1, 25, 49]);
  });

  it("are sent within the hour when other changes follow, without loss", () => {
    const words = (hour: number): [number, [string, string]] => [hour, ["a", "description"]];
    const notices = noticesOf([
      words(1),
      [1.5, ["b", "inputSchema"]],
      words(1.75),
      [2],
      words(3),
      [4, ["a", "inputSchema"]],
    ]);
    expect(notices).toEqual([
      [1, ["a"]],
      [2, ["b", "a"]],
      [4, ["a"]],
    ]);
  });

  it("are sent at most once per hour, even if many tools change in turn", () => {
    const turns = Array.from({ length: 400 }, (_, n): [number, [string, string]] => [1 + n / 100, [`t${n}`, "title"]]);
    expect(noticesOf(turns).map(([hour]) => hour)).toEqual([1, 2, 3, 4]);
  });
});

describe("the time until the next sync", () => {
  it("is about the interval, and grows up to a day while syncs fail", () => {
    const of = (failures: number, interval = 900_000) => syncDelay(interval, failures, 0.5);
    expect([0, 1, 2, 3].map(failures => of(failures))).toEqual([900_000, 900_000, 1_800_000, 3_600_000]);
    expect(of(1_000)).toBe(86_400_000);
    expect(of(5, 604_800_000)).toBe(604_800_000);
    expect([0, 0.999_999].map(random => syncDelay(1_000, 0, random))).toEqual([900, 1_100]);
  });
});

const definition: ToolDefinition = {
  ...{ name: "add", title: null, description: "Adds", outputSchema: null, annotations: null },
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
};

describe("the definition of a tool", () => {
  it("is equal in any order of its keys", () => {
    const { a, b } = definition.inputSchema.properties as Record<string, unknown>;
    const other = { ...definition, inputSchema: { properties: { b, a }, type: "object" } };
    expect(definitionText(other)).toBe(definitionText(definition));
    expect(definitionText({ ...definition, description: "Adds." })).not.toBe(definitionText(definition));
  });

  it("says which of its parts differ, and how", () => {
    const after = {
      ...definition,
      title: "Sum",
      inputSchema: { type: "object", properties: { a: { type: "string" } } },
    };
    expect(definitionDiff(definition, after)).toEqual({
      fields: ["title", "inputSchema"],
      changes: [
        { op: "replace", path: "/title", from: null, to: "Sum" },
        { op: "replace", path: "/inputSchema/properties/a/type", from: "number", to: "string" },
        { op: "remove", path: "/inputSchema/properties/b", from: { type: "number" } },
      ],
      truncated: false,
    });
    const huge = definitionDiff(definition, { ...definition, description: "x".repeat(10_000) });
    expect(huge).toMatchObject({ fields: ["description"], changes: [], truncated: true });
  });
});

test("compares tools by their names", () => {
  const of = (text: string) => text.split(" ").map(one => ({ name: one.charAt(0), hash: one }));
  const { added, removed, changed } = compareTools(of("a1 b1 c1"), of("c2 d1 a1"));
  expect([added, removed]).toEqual([of("d1"), of("b1")]);
  expect(changed).toEqual([{ before: of("c1")[0], after: of("c2")[0] }]);
});

test("finds the nodes that use a tool, whatever else the definition contains", () => {
  const nodes = [
    { id: "a", data: { toolId: "t1" } },
    { id: "b", data: { toolIds: ["t2", "t1", "t1", 7], toolId: "t1" } },
    { id: "c", data: { toolId: "t3" } },
    { id: 4, data: { toolId: "t1" } },
    ...[null, 1, {}, { id: "d" }, { id: "e", data: { toolIds: "t1" } }],
  ];
  expect(toolUses({ nodes }, new Set(["t1", "t2"]))).toEqual(
    new Map([
      ["t1", ["a", "b"]],
      ["t2", ["b"]],
    ]),
  );
  for (const odd of [null, [], { nodes: {} }, "t1"]) expect(toolUses(odd, new Set(["t1"])).size).toBe(0);
});
