import { z } from "zod";
import { mocks } from "../../contracts/entities/test-run.ts";
import { mockFaults } from "../trial/mocked.ts";
import { isObject } from "../json.ts";
import { didYouMean } from "../nearest.ts";
import type { Faults } from "./faults.ts";
import type { Graph } from "./graph.ts";

const MAX_TESTS = 200;
const nodeId = z.string().min(1).max(200);
const code = z.string().min(1).max(100);

const expectedStep = z.strictObject({
  status: z.enum(["completed", "failed", "skipped", "waiting"]).optional(),
  /** Only the given keys are compared. The other expectations are exact. */
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  handle: z.string().max(200).optional(),
  error: code.optional(),
  attempts: z.int().min(0).optional(),
});

/** What a test expects. Without a status it expects `completed`, or with an error `failed`. */
export const expectation = z.strictObject({
  status: z.enum(["completed", "failed", "suspended"]).optional(),
  output: z.unknown().optional(),
  error: code.optional(),
  steps: z.record(z.string().min(1).max(300), expectedStep).optional(),
});
export type Expectation = z.output<typeof expectation>;

export const definitionTest = z.strictObject({
  name: z.string().min(1).max(200),
  input: z.unknown().optional(),
  /** What expressions see as `trigger`. */
  trigger: z.record(z.string(), z.unknown()).optional(),
  /** The variables of the space. */
  variables: z.record(z.string(), z.unknown()).optional(),
  mocks: mocks.optional(),
  calls: z.enum(["none", "mocked"]).optional(),
  from: nodeId.optional(),
  until: nodeId.optional(),
  expect: expectation.optional(),
});
export type DefinitionTest = z.output<typeof definitionTest>;

const tests = z.array(definitionTest).max(MAX_TESTS);

/** The `tests` of a definition; an empty list if there are none or they are invalid. */
export function testsOf(definition: unknown): DefinitionTest[] {
  const given = isObject(definition) ? (definition.tests ?? []) : [];
  return tests.safeParse(given).data ?? [];
}

/** The id of the step that an expectation names: `<node id>`, or `<node id>[<index>]…` for an item of a map. */
const stepNamed = (name: string) => name.replace(/(\[\d+\])+$/, "");

/** Reports tests that cannot be read, and names of steps that do not exist. */
export function checkTests(given: unknown, graph: Graph, faults: Faults): void {
  if (given === undefined || given === null) return;
  const checked = tests.safeParse(given);
  if (!checked.success) return faults.issues(null, ["tests"], checked.error.issues);
  checked.data.forEach((test, index) => {
    const at = ["tests", index];
    for (const { path, message, nodeId: of } of mockFaults(graph, test.mocks ?? {}, [...at, "mocks"]))
      faults.addAt(of ?? null, [], path, message);
    const named = Object.keys(test.expect?.steps ?? {}).map(name => ({ name, path: [...at, "expect", "steps", name] }));
    const ends = (["from", "until"] as const).flatMap(field => {
      const name = test[field];
      return name === undefined ? [] : [{ name, path: [...at, field] }];
    });
    for (const { name, path } of [...named, ...ends]) {
      const id = graph.byId.has(name) ? name : stepNamed(name);
      if (graph.byId.has(id)) continue;
      faults.add(null, path, () => `The definition has no step \`${id}\`.${didYouMean(id, graph.byId.keys())}`);
    }
  });
}
