import { SandboxError } from "../../../../adapters/sandbox/index.ts";
import { STEP_TIMEOUT } from "../../../../core/run/entry.ts";
import { retryWhileBusy } from "../retry-while-busy.ts";
import { timeoutOf, type Perform } from "./step.ts";

const isBusy = (error: unknown) => error instanceof SandboxError && error.code === "code_busy";

/** Runs the author's JavaScript in a sandbox. Its console output goes to the log. */
export const code: Perform<"code"> = async (data, { doc, scope, policy, parts, signal }) => {
  const { input, steps, item, index } = scope;
  const globals = { input, steps, ...(typeof index === "number" && { item, index }) };
  try {
    const run = { code: data.code, globals, timeoutMs: timeoutOf(policy), group: doc.workspaceId, signal };
    const { output, logs } = await retryWhileBusy(() => parts.sandbox.run(run), isBusy, signal);
    return { kind: "done", output, logs };
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    const { code: name, message, logs } = error;
    // Other errors, such as too much memory, come from the author's code and would occur again.
    const retryable = name === "code_busy" || name === "code_timeout" || name === "code_error";
    const failure = name === "code_timeout" ? STEP_TIMEOUT : name;
    return { kind: "failed", error: { code: failure, message }, retryable, logs };
  }
};
