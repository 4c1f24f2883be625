import type { ServiceBroker } from "moleculer";
import { AppError } from "../../contracts/errors.ts";
import { OpenToolCalls } from "../../services/executions/engine/tool-calls.ts";

const made = { workspaceId: "w", toolId: "t", arguments: {}, timeoutMs: 1_000, idempotencyKey: "run:step" };
const gone = Object.assign(new Error("There is no such service"), { type: "SERVICE_NOT_FOUND" });

/** Calls that a broker answers in turn, the last answer for all that follow. */
function calling(...answers: unknown[]) {
  const keys: unknown[] = [];
  const broker = {
    broadcast: () => undefined,
    call: (_name: string, { idempotencyKey }: { idempotencyKey: string }) => {
      keys.push(idempotencyKey);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  } as unknown as ServiceBroker;
  const { signal } = new AbortController();
  return { keys, result: new OpenToolCalls(broker).invoke(made, { signal }) };
}

describe("a call of a tool by a step", () => {
  it("is repeated with the same key if its node stops and no other is available at once", async () => {
    const { keys, result } = calling(new AppError("unavailable"), gone, { content: [], isError: false });
    expect(await result).toEqual({ content: [], isError: false });
    expect(keys).toEqual(["run:step", "run:step", "run:step"]);
  });

  it.each([
    ["tool_call_failed", new AppError("tool_call_failed")],
    ["tool_server_unavailable", new AppError("tool_server_unavailable")],
    ["no such service", gone],
  ])("fails with the error of the tool: %s", async (_what, error) => {
    const { keys, result } = calling(error);
    await expect(result).rejects.toBe(error);
    expect(keys).toHaveLength(1);
  });
});
