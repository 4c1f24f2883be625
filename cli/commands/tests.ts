import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Difference } from "../../core/trial/expect.ts";
import { isObject } from "../../core/json.ts";
import { argument, type Command, CommandError, FAILED, type Invocation } from "../command.ts";
import { parseJson, readText } from "../read-input.ts";
import { jsonText, paint, printResult, withoutControls } from "../terminal.ts";

interface TestResult {
  file: string;
  test: string;
  passed: boolean;
  differences: Difference[];
}

const SKIPPED: ReadonlySet<string> = new Set(["node_modules"]);
const MAX_FILES = 10_000;

/** The JSON files of a folder and its subfolders, sorted by path. Hidden folders are skipped. */
async function filesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  const queue = [folder];
  for (let at = queue.shift(); at !== undefined && found.length < MAX_FILES; at = queue.shift()) {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      const isHidden = entry.name.startsWith(".") || SKIPPED.has(entry.name);
      if (entry.isDirectory() && !isHidden) queue.push(path);
      else if (entry.isFile() && entry.name.endsWith(".json")) found.push(path);
    }
  }
  return found.sort();
}

/** @throws {CommandError} when the file or the folder cannot be read */
async function filesAt(path: string): Promise<string[]> {
  try {
    return (await stat(path)).isDirectory() ? await filesIn(path) : [path];
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

/**
 * The definition in a file, which may be an export or a plain definition; undefined if the file contains something
 * else.
 */
function definitionIn(content: unknown): { name: string | undefined; definition: unknown } | undefined {
  if (!isObject(content)) return undefined;
  if (Array.isArray(content.nodes)) return { name: undefined, definition: content };
  if (!isObject(content.definition)) return undefined;
  return { name: typeof content.name === "string" ? content.name : undefined, definition: content.definition };
}

const oneLine = (value: unknown) => {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

function show({ file, test, passed, differences }: TestResult): void {
  const mark = passed ? paint("green", "✓") : paint("red", "✗");
  printResult(`${mark} ${withoutControls(`${file}  ${test}`)}`);
  for (const { path, expected, actual } of differences)
    printResult(withoutControls(`    ${path}: expected ${oneLine(expected)}, got ${oneLine(actual)}`));
}

/** Runs the tests of the given files, and reports each result at once. */
async function runAll(files: string[], given: Invocation, report: (result: TestResult) => void): Promise<TestResult[]> {
  const [{ EmbeddedTrials }, { anyIds }, { checkDefinition, errorsIn }, { testsOf }] = await Promise.all([
    import("../embedded-trial.ts"),
    import("../../core/exchange/named-references.ts"),
    import("../../core/graph/check-definition.ts"),
    import("../../core/graph/tests.ts"),
  ]);
  const trials = new EmbeddedTrials();
  const results: TestResult[] = [];
  const wanted = given.text("name");
  try {
    for (const file of files) {
      const found = definitionIn(parseJson(await readText(file), file));
      if (!found || !isObject(found.definition) || found.definition.tests === undefined) continue;
      // A file in a repository refers to other workflows and tools, which only a push can resolve.
      const definition = anyIds(found.definition) as typeof found.definition;
      const add = (result: TestResult) => (results.push(result), report(result));
      const faults = errorsIn(checkDefinition(definition));
      if (faults.length > 0) {
        const differences = faults.map(({ path, message }) => ({
          path,
          expected: "a valid definition",
          actual: message,
        }));
        add({ file, test: "is valid", passed: false, differences });
        continue;
      }
      for (const test of testsOf(definition)) {
        if (wanted !== undefined && !test.name.includes(wanted)) continue;
        const differences = await trials.run(definition, found.name ?? basename(file, ".json"), test);
        add({ file, test: test.name, passed: differences.length === 0, differences });
      }
    }
    return results;
  } finally {
    await trials.close();
  }
}

async function runTests(given: Invocation): Promise<number> {
  const path = argument(given);
  const asJson = given.flag("json");
  const results = await runAll(await filesAt(path), given, result => !asJson && show(result));
  const failed = results.filter(({ passed }) => !passed).length;
  if (asJson) printResult(jsonText(results));
  else if (results.length > 0) printResult(`${results.length - failed} of ${results.length} tests passed.`);
  if (results.length === 0) throw new CommandError(`There are no tests in ${path}.`);
  return failed === 0 ? 0 : FAILED;
}

export const TESTS: Command[] = [
  {
    name: "test",
    group: "workflows",
    args: "<file or folder>",
    summary: "Run the tests of workflow files, without a server; the exit code is 1 if one fails",
    options: { name: { type: "string", value: "text", help: "run only tests whose name has this text" } },
    notes: [
      "Steps that reach outside of the run need mocks, because the command makes no calls. See docs/workflows.md.",
    ],
    run: runTests,
  },
];
