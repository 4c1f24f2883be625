import type { ExecutionError } from "../../contracts/entities/execution.ts";
import type { TestRunStep } from "../../contracts/entities/test-run.ts";
import { clip } from "../clip.ts";
import type { WorkflowGraph } from "../graph/graph.ts";
import { shorten } from "../shorten.ts";
import type { StepEntry } from "../run/entry.ts";
import { keyOf } from "../run/frame.ts";
import { describeEntry, levelOf } from "../run/describe-entry.ts";

/** The limits of what an answer shows, because it has to fit into a message between nodes. */
const MAX_SHOWN = { steps: 1_000, chars: 200_000, ofStep: 65_536, logs: 500, line: 500 };

type Row = TestRunStep & { path?: StepEntry["path"] };

const STATUS = { "step.completed": "completed", "step.failed": "failed", "step.skipped": "skipped" } as const;

const newRow = ({ nodeId = "", path }: StepEntry, nodeType: string): Row => ({
  nodeId,
  nodeType,
  ...(path && { path }),
  status: "running",
  attempts: 0,
  mocked: false,
  handle: null,
  output: null,
  error: null,
  log: [],
  durationMs: null,
});

/** Applies an entry to the row of its step. */
function take(row: Row, entry: StepEntry): void {
  const { event, input, output = null, handle = null, error = null, durationMs, message } = entry;
  if (input !== undefined) row.input = input;
  switch (event) {
    case "step.started":
      row.attempts = entry.attempt ?? row.attempts + 1;
      row.status = "running";
      break;
    case "step.completed":
    case "step.failed":
    case "step.skipped":
      Object.assign(row, { status: STATUS[event], output, handle, error, durationMs: durationMs ?? null });
      break;
    default:
      // The entry is a list of items or a wait, and not only a line of the log.
      if (message === undefined) row.status = "waiting";
      if (error) row.error = error;
  }
  if (event === "step.log" || event === "step.retrying" || message !== undefined)
    row.log.push({ level: levelOf(entry), message: clip(message ?? describeEntry(entry), MAX_SHOWN.line) });
}

/** The steps of a run, in the order in which they began. `mocked` names the steps that were not performed. */
export function stepsOf(
  graph: WorkflowGraph,
  entries: readonly StepEntry[],
  mocked: ReadonlySet<string> = new Set(),
): TestRunStep[] {
  const rows = new Map<string, Row>();
  for (const entry of entries) {
    const { nodeId, path } = entry;
    if (nodeId === undefined || !entry.event.startsWith("step.")) continue;
    const key = keyOf({ nodeId, path: path ?? [] });
    const row = rows.get(key) ?? newRow(entry, graph.byId.get(nodeId)?.type ?? "");
    rows.set(key, row);
    row.mocked = mocked.has(key);
    take(row, entry);
  }
  return [...rows.values()];
}

const withoutDetails = ({ code, message, nodeId }: ExecutionError): ExecutionError => ({
  ...{ code, message },
  ...(nodeId !== undefined && { nodeId }),
});

/** The steps as an answer shows them. Large values, and parts beyond the limits of an answer, are left out. */
export function shownSteps(steps: readonly TestRunStep[]): { steps: TestRunStep[]; truncated: boolean } {
  let left = MAX_SHOWN.chars;
  let lines = MAX_SHOWN.logs;
  let truncated = steps.length > MAX_SHOWN.steps;
  const short = (value: unknown) => {
    const made = shorten(value, Math.max(0, Math.min(MAX_SHOWN.ofStep, left)));
    left -= made.chars;
    return made;
  };
  const shown = steps.slice(0, MAX_SHOWN.steps).map(step => {
    const output = short(step.output);
    const input = step.input === undefined ? undefined : short(step.input);
    const log = step.log.slice(0, Math.max(0, lines));
    lines -= log.length;
    const isCut = output.truncated || input?.truncated === true;
    truncated ||= isCut || log.length < step.log.length;
    if (step.error) left -= JSON.stringify(step.error).length;
    return {
      ...step,
      error: step.error && left < 0 ? withoutDetails(step.error) : step.error,
      output: output.value,
      ...(input && { input: input.value }),
      log,
      ...(isCut && { truncated: true }),
    };
  });
  return { steps: shown, truncated };
}
