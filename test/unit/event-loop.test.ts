import { hostName } from "../../contracts/credentials/fields.ts";
import { formFault } from "../../core/forms/check-form.ts";
import { checkDefinition } from "../../core/graph/check-definition.ts";
import { nearest } from "../../core/nearest.ts";
import { frameAt, newFrame, type Frame, type NodeState } from "../../core/run/frame.ts";
import { keptEntries } from "../../core/run/kept-entries.ts";
import { plan } from "../../core/run/plan.ts";
import { stepsSeenIn, takeOutput } from "../../core/run/seen-steps.ts";
import { mockFaults } from "../../core/trial/mocked.ts";
import { gives } from "../support/definition.ts";
import { secondsOf, SOON_S } from "../support/processor-time.ts";
import { graphOf } from "../support/simulate-run.ts";

/*
 * Inputs within the limits of the API that once held the event loop for seconds, or minutes, for all workspaces. They
 * take some milliseconds now. Without the fixes they take several times this.
 */
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const TIMES = 3;

/** The result of work that is done some times over, and soon all the same. */
function soon<T>(work: () => T): T {
  let results: T[] = [];
  expect(secondsOf(() => (results = times(TIMES, work)))).toBeLessThan(SOON_S);
  return results[0]!;
}

const LONG = "abcdefghijklmnopqrstuvwxyzabcdefghij";
const longIds = times(300, i => gives(`${LONG}${1_000 + i}`, 1));
const misspelt = (i: number) => `${LONG.slice(1)}${10_000 + i}`;
const names = times(200, i => `steps.${misspelt(i)}`).join();
const done: NodeState = { status: "completed", attempt: 1, failures: 0, handle: "out", startedAt: "", output: 1 };

describe("a definition", () => {
  test("whose expressions name hundreds of steps, each with a thousand steps behind it", () => {
    const [count, named] = [1_000, 450];
    const behind = times(named, i => `steps.n${count - 1 - i}`).join();
    const nodes = times(count, i => gives(`n${i}`, i < 30 ? `{{ [${behind}] }}` : 1));
    const edges = times(count - named, i =>
      times(5, k => ({ source: `n${i}`, target: `n${i + k + 1}` })).filter(
        ({ target }) => Number(target.slice(1)) < count - named,
      ),
    ).flat();
    const found = soon(() =>
      checkDefinition({ nodes, edges: [...edges, { source: `n${count - named - 1}`, target: `n${count - 1}` }] }),
    );
    expect(new Set(found.map(({ message }) => message))).toEqual(
      new Set([`\`steps.n${count - 1}\` has no value here: it runs after this step.`]),
    );
  });

  test.each<[string, object]>([
    ["expressions", { nodes: [...longIds, ...times(4, i => gives(`z${i}`, `{{ [${names}] }}`))] }],
    [
      "expectations of tests",
      {
        nodes: longIds,
        tests: [{ name: "t", expect: { steps: Object.fromEntries(times(1_000, i => [misspelt(i), {}])) } }],
      },
    ],
    ["mocks of tests", { nodes: longIds, tests: [{ name: "t", mocks: manyMocks() }] }],
    ["keys", { nodes: [{ id: "a", type: "http", data: { url: "u", ...keysLike("maxResponseB", 40_000) } }] }],
  ])("whose %s have many misspelt names", (_, definition) => {
    expect(soon(() => checkDefinition({ edges: [], ...definition }))).toHaveLength(100);
  });

  function manyMocks() {
    return Object.fromEntries(times(2_000, i => [misspelt(i), { output: 1 }]));
  }

  test("whose mocks name many steps that do not exist", () => {
    expect(soon(() => mockFaults(graphOf({ nodes: longIds, edges: [] }), manyMocks()))).toHaveLength(100);
  });
});

function keysLike(name: string, count: number) {
  return Object.fromEntries(times(count, i => [`${name}${10_000 + i}`, 0]));
}

test("suggests the same names as a full comparison", () => {
  expect(nearest("recieve", ["receipt", "receive"])).toBe("receive");
  expect(nearest("Steps", ["step", "steps"])).toBe("steps");
  expect(nearest("outptu", ["out", "output"])).toBe("output");
  expect(nearest("abcdefghi", ["bcdefghij", "xbcdefghi"])).toBe("xbcdefghi");
  expect(nearest("abcdefghi", ["bcdefghijk", "abcdxyzhi"])).toBeUndefined();
  expect(nearest("ab", ["ac"])).toBeUndefined();
});

describe("a form", () => {
  test("that names a Unicode property many times", () => {
    expect(soon(() => formFault({ pattern: `[${"\\p{L}".repeat(100_000)}]` }))).toBeUndefined();
  });

  test.each([
    ["[\\p{L}-z]", /^Invalid regular expression: \/\[\\p\{L\}-z\]\/u: /],
    ["\\p{L}(", /^Invalid regular expression: \/\\p\{L\}\(\/u: /],
    ["\\p{Nope}", /Invalid property name/],
    ["\\p", /Invalid/],
    ["\\\\p{2}", undefined],
    ["^\\P{Lu}\\p{Script=Greek}*$", undefined],
  ])("with the pattern %s", (pattern, fault) => {
    const found = formFault({ pattern });
    if (fault) expect(found).toMatch(fault);
    else expect(found).toBeUndefined();
  });
});

test("a host name with many dots", () => {
  expect(soon(() => hostName.safeParse(`a${".".repeat(200_000)}x`).success)).toBe(false);
});

describe("a run", () => {
  const edge = (source: string, target: string, sourceHandle = "out") => ({ source, target, sourceHandle });

  test("that skips two thousand steps at once, which all lead to one step", () => {
    const ids = times(1_990, i => `s${i}`);
    const graph = graphOf({
      nodes: [
        { id: "c", type: "condition", data: { if: true } },
        ...ids.map(id => gives(id, 1)),
        { id: "m", type: "merge" },
      ],
      edges: [...ids.map(id => edge("c", id, "true")), ...times(4, () => ids.map(id => edge(id, "m"))).flat()],
    });
    const frame = newFrame([], null, null, false);
    frame.nodes.set("c", { ...done, handle: "false" });
    const { start, skip } = soon(() => plan(graph, frame, ["c"]));
    expect([start.length, skip.length]).toEqual([0, 1_991]);
  });

  /** A map with items under way, whose steps have finished except the last one. */
  function retried(nodes: object[], edges: object[], items: number, inside: (pass: Frame, graph: Frame) => void) {
    const graph = graphOf({ nodes: [{ id: "m", type: "map", data: { items: [1] } }, ...nodes], edges });
    const root = newFrame([], null, null, false);
    const map = mapOf(items, root, "m");
    root.nodes.set("m", { ...done, status: "iterating", handle: null, map });
    for (const pass of map.frames.values()) inside(pass, root);
    return soon(() => keptEntries(graph, graph, root, null));
  }

  function mapOf(items: number, around: Frame, nodeId: string): NonNullable<NodeState["map"]> {
    const frames = times(items, index => newFrame([...around.path, { nodeId, index }], around, 1, false));
    return {
      ...{ items: times(items, () => 1), concurrency: 50, outputs: [], done: 0, chars: 0, next: 0 },
      frames: new Map(frames.map((frame, index) => [index, frame])),
    };
  }

  test("that keeps a long chain of steps that the definition lists from its end", () => {
    const count = 1_900;
    const nodes = times(count, i => gives(`s${i}`, 1, { parentId: "m" }));
    // The sources of each step that were kept long ago come first.
    const far = [1_500, 1_000, 500, 1];
    const edges = times(count, i => far.filter(by => i + by < count).map(by => edge(`s${i + by}`, `s${i}`))).flat();
    const kept = retried(nodes, edges, 13, pass => {
      for (let i = 1; i < count; i++) pass.nodes.set(`s${i}`, done);
    });
    expect(kept).toHaveLength(2 + 13 * (count - 1));
    const ofFirst = kept.filter(({ path }) => path?.[0]?.index === 0).map(({ nodeId }) => nodeId);
    expect(ofFirst).toEqual(times(count - 1, i => `s${count - 1 - i}`));
  });

  test("that retries many items of a map, each with a map of many steps", () => {
    const nodes = times(1_900, i => gives(`s${i}`, 1, { parentId: "k" }));
    const inner = { id: "k", type: "map", parentId: "m", data: { items: [1] } };
    const kept = retried([inner, ...nodes], [], 400, pass => {
      pass.nodes.set("k", { ...done, status: "iterating", handle: null, map: mapOf(1, pass, "k") });
    });
    expect(kept).toHaveLength(2 + 400 * 2);
  });

  test("whose steps that start at the same time see the same outputs", () => {
    const root = newFrame([], null, null, false);
    takeOutput(root, "a", 1);
    const pass = newFrame([{ nodeId: "m", index: 3 }], root, "x", false);
    root.nodes.set("m", { ...done, map: { ...mapOf(0, root, "m"), frames: new Map([[3, pass]]) } });
    const seen = stepsSeenIn(frameAt(root, pass.path)!);
    expect({ ...seen }).toEqual({ a: 1, m: { item: "x", index: 3 } });
    expect(stepsSeenIn(pass)).toBe(seen);
    takeOutput(root, "b", 2);
    expect({ ...stepsSeenIn(pass) }).toEqual({ a: 1, b: 2, m: { item: "x", index: 3 } });
    takeOutput(pass, "a", 4);
    expect({ ...stepsSeenIn(pass) }).toEqual({ a: 4, b: 2, m: { item: "x", index: 3 } });
    expect({ ...seen }).toEqual({ a: 1, m: { item: "x", index: 3 } });
  });
});
