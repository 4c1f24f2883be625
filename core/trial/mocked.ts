import type { Fault } from "../../contracts/errors.ts";
import type { Mock, Mocks } from "../../contracts/entities/test-run.ts";
import { jsonPointer } from "../../contracts/json-pointer.ts";
import { MAX_FAULTS } from "../graph/faults.ts";
import type { Graph, GraphNode } from "../graph/graph.ts";
import { NODE_TYPES } from "../graph/node-types.ts";
import { isObject } from "../json.ts";
import { didYouMean } from "../nearest.ts";
import type { StepResult } from "../run/entry.ts";

/** The error code of a step that calls something outside and has no mock. */
export const NOT_MOCKED = "not_mocked";

const listOf = (given: Mocks[string] | undefined): readonly Mock[] =>
  given === undefined ? [] : Array.isArray(given) ? given : [given];

/** The handle that an output implies. Only some types have such outputs. */
function impliedHandle({ type }: GraphNode, output: unknown): string | undefined {
  if (!isObject(output)) return undefined;
  if (type === "condition" && typeof output.result === "boolean") return String(output.result);
  if (type === "switch" && typeof output.case === "string")
    return output.case === "default" ? "default" : `case:${output.case}`;
  if (type === "human" && output.approved === false) return "rejected";
  return undefined;
}

/** The handle at which the run leaves a step with this output. */
function handleOf(node: GraphNode, { output, handle }: Mock): string {
  const handles = NODE_TYPES[node.type].handles(node.data);
  const implied = handle ?? impliedHandle(node, output);
  return implied ?? handles[0] ?? "out";
}

/** The result of a step with this mock. */
export function resultOfMock(node: GraphNode, mock: Mock, input?: unknown): StepResult {
  const shown = input === undefined ? {} : { input };
  if (mock.error) return { kind: "failed", error: { ...mock.error }, retryable: true, ...shown };
  return { kind: "done", output: mock.output ?? null, handle: handleOf(node, mock), ...shown };
}

/** Gives each performance of a step its mock, in turn. */
export class MocksInTurn {
  readonly #mocks: Mocks;
  readonly #used = new Map<string, number>();

  constructor(mocks: Mocks) {
    this.#mocks = mocks;
  }

  /** The mock for the next performance of a step; undefined if it has none. */
  next(nodeId: string): Mock | undefined {
    const list = Object.hasOwn(this.#mocks, nodeId) ? listOf(this.#mocks[nodeId]) : [];
    const used = this.#used.get(nodeId) ?? 0;
    this.#used.set(nodeId, used + 1);
    return list[Math.min(used, list.length - 1)];
  }

  /** The first mock of a step. */
  first(nodeId: string): Mock | undefined {
    return Object.hasOwn(this.#mocks, nodeId) ? listOf(this.#mocks[nodeId])[0] : undefined;
  }
}

/** The fault of a step's mock: a step or a handle that does not exist. */
function mockFault({ byId }: Graph, nodeId: string, given: Mocks[string], path: string): Fault | undefined {
  const node = byId.get(nodeId);
  if (!node) return { path, message: `The definition has no step \`${nodeId}\`.${didYouMean(nodeId, byId.keys())}` };
  const handles = NODE_TYPES[node.type].handles(node.data);
  const mismatched = listOf(given).find(({ handle }) => handle !== undefined && !handles.includes(handle));
  if (!mismatched) return undefined;
  const known = handles.length > 0 ? `It has: ${handles.join(", ")}.` : "It has no handles.";
  return { path, nodeId, message: `The step has no handle \`${mismatched.handle}\`. ${known}` };
}

/**
 * The faults of mocks for this graph, as many as are reported for a definition: steps and handles that do not exist.
 * Paths begin at `at`.
 */
export function mockFaults(graph: Graph, mocks: Mocks, at: readonly PropertyKey[] = ["mocks"]): Fault[] {
  const faults: Fault[] = [];
  for (const [nodeId, given] of Object.entries(mocks)) {
    if (faults.length >= MAX_FAULTS) break;
    const fault = mockFault(graph, nodeId, given, jsonPointer([...at, nodeId]));
    if (fault) faults.push(fault);
  }
  return faults;
}
