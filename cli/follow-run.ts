import type { Execution, LogEntry, Weft } from "../sdk/index.ts";
import { FAILED, INTERRUPTED, type Invocation, type Options } from "./command.ts";
import { Progress } from "./progress.ts";
import { jsonText, printMessage, printResult, statusText, withoutControls } from "./terminal.ts";

export const FOLLOW_OPTIONS: Options = {
  wait: { type: "boolean", help: "wait for the end, then print the output" },
  watch: { type: "boolean", help: "like --wait, and show the progress of each step" },
};

/** The questions that people may have to answer before the run continues. */
export function openQuestionLines({
  id,
  suspension,
  suspensions = suspension ? [suspension] : [],
}: Execution): string[] {
  return suspensions.map(({ nodeId, path = [], prompt }) => {
    const items = path.map(part => `${part.nodeId}:${part.index}`).join(",");
    return withoutControls(`${prompt}  (weft approve ${id} --node ${nodeId}${items && ` --path ${items}`})`);
  });
}

function printEnd(given: Invocation, { status, output, error, id }: Execution): number {
  if (status === "completed") return 0;
  const at = error?.nodeId ? ` at ${error.nodeId}` : "";
  const why = error ? `${at}: ${error.message} (${error.code})` : ".";
  printMessage(withoutControls(`weft: The run ${id} ${status === "failed" ? "failed" : `was ${status}`}${why}`));
  for (const { nodeId, path, message } of error?.faults ?? [])
    printMessage(withoutControls(`  ${nodeId ?? ""} ${path}: ${message}`));
  if (error?.origin) {
    const { executionId, nodeId, code } = error.origin;
    printMessage(withoutControls(`  The cause is${nodeId ? ` at ${nodeId}` : ""} in the run ${executionId} (${code})`));
  }
  if (!given.flag("json") && output !== null) printResult(jsonText(output));
  return FAILED;
}

/**
 * Follows a run to its end and prints its result. Returns 1 unless the run has completed. Ctrl-C does not stop the run.
 */
export async function followRun(given: Invocation, weft: Weft, id: string, watch: boolean): Promise<number> {
  const leave = new AbortController();
  const interrupt = () => leave.abort();
  process.once("SIGINT", interrupt);
  const progress = watch ? new Progress(process.stderr) : undefined;
  const onEntry = (entry: LogEntry) => {
    progress?.entry(entry);
    if (entry.event === "execution.suspended" && !watch)
      printMessage(`The run waits for an answer: weft approve ${id}`);
  };
  try {
    const ended = await weft.executions.untilEnd({ id }, { signal: leave.signal, onEntry });
    progress?.end();
    if (given.flag("json")) printResult(jsonText(ended));
    else if (ended.status === "completed") printResult(jsonText(ended.output));
    return printEnd(given, ended);
  } catch (error) {
    progress?.end();
    if (!leave.signal.aborted) throw error;
    printMessage(`The run continues. Follow it with: weft watch ${id}`);
    return INTERRUPTED;
  } finally {
    process.off("SIGINT", interrupt);
  }
}

/**
 * Called after a run was started, answered or retried. Follows it if the user wants that, and otherwise prints how to
 * find it.
 */
export async function followOrHint(given: Invocation, weft: Weft, execution: Execution): Promise<number> {
  const watch = given.flag("watch");
  if (watch || given.flag("wait")) return followRun(given, weft, execution.id, watch);
  if (given.flag("json")) printResult(jsonText(execution));
  else printResult(`${execution.id}  ${statusText(execution.status)}`);
  return 0;
}
