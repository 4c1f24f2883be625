import { isDeepStrictEqual } from "node:util";
import type { TestRunStep } from "../../contracts/entities/test-run.ts";
import { jsonPointer } from "../../contracts/json-pointer.ts";
import type { Expectation } from "../graph/tests.ts";
import { isObject } from "../json.ts";

/** A difference between a test's expectation and the result. `path` is a JSON Pointer into the result. */
export interface Difference {
  path: string;
  expected: unknown;
  /** Absent if the result has no value here. */
  actual?: unknown;
}

interface Result {
  status: string;
  output: unknown;
  error: { code: string; message: string } | null;
  steps: readonly TestRunStep[];
}

const MAX_DIFFERENCES = 100;

/** Yields the differences of two values. With `partly`, keys that the expected object does not name do not matter. */
function* between(expected: unknown, actual: unknown, path: PropertyKey[], partly: boolean): Generator<Difference> {
  const different = { path: jsonPointer(path), expected, ...(actual !== undefined && { actual }) };
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) return void (yield different);
    for (const [index, item] of expected.entries()) yield* between(item, actual[index], [...path, index], partly);
  } else if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...(partly ? [] : Object.keys(actual))]);
    for (const key of keys) yield* between(expected[key], actual[key], [...path, key], partly);
  } else if (!isDeepStrictEqual(expected, actual)) yield different;
}

/** The name of a step in an expectation: its id, with the indexes of the map items around it. */
const nameOf = ({ nodeId, path = [] }: TestRunStep) => nodeId + path.map(({ index }) => `[${index}]`).join("");

/** The differences between a result and a test's expectation. */
export function differencesOf(wanted: Expectation, result: Result): Difference[] {
  const { output, error, steps = {}, status = error === undefined ? "completed" : "failed" } = wanted;
  const found: Difference[] = [...between(status, result.status, ["status"], false)];
  if (error !== undefined) found.push(...between(error, result.error?.code, ["error", "code"], false));
  if ("output" in wanted) found.push(...between(output, result.output, ["output"], false));
  const byName = new Map(result.steps.map(step => [nameOf(step), step]));
  for (const [name, { input, error: code, ...exact }] of Object.entries(steps)) {
    const step = byName.get(name);
    const at = ["steps", name];
    if (input !== undefined) found.push(...between(input, step?.input, [...at, "input"], true));
    if (code !== undefined) found.push(...between(code, step?.error?.code, [...at, "error", "code"], false));
    for (const [key, value] of Object.entries(exact))
      found.push(...between(value, step?.[key as keyof TestRunStep], [...at, key], false));
  }
  return found.slice(0, MAX_DIFFERENCES);
}
