import { isOwn, nameTools, ownFunctions, type AgentTool } from "../../../../core/agent/functions.ts";
import type { History, Outcome, HistoryTurn, RequestedCall } from "../../../../core/agent/history.ts";
import type { Move } from "../../../../core/agent/next-move.ts";
import { resultLimit, resultText, shortened } from "../../../../core/agent/result-text.ts";
import { type AgentData, MAX_AGENT_TOOLS } from "../../../../core/graph/agent-data.ts";
import { callOwn } from "./agent-functions.ts";
import { progressLines } from "./progress-lines.ts";
import type { StepContext } from "./step.ts";
import { toolFailure } from "./tool-failure.ts";

/** The time limit of one call. A call that takes longer fails, and the agent goes on. */
const CALL_MS = 120_000;

type Came = Pick<Outcome, "result" | "error" | "offered">;

/** Performs the calls that an agent's model requests. */
export class AgentCalls {
  /** The tools that this performance knows, by id. */
  readonly tools = new Map<string, AgentTool>();
  private readonly data: AgentData;
  private readonly context: StepContext;
  private readonly limitMs: number;
  private readonly progress: ReturnType<typeof progressLines>;

  constructor(data: AgentData, context: StepContext, limitMs: number) {
    this.data = data;
    this.context = context;
    this.limitMs = limitMs;
    this.progress = progressLines(context);
  }

  /** Performs a call and returns its outcome. A failure is part of the outcome, so that the model can read it. */
  async make({ turn, call, toolId, approved }: Extract<Move, { kind: "call" }>, history: History): Promise<Outcome> {
    const came = await this.carryOut(turn, call, toolId, history);
    const max = resultLimit(history.resultChars, turn.calls.length);
    return {
      turn: turn.turn,
      callId: call.callId,
      tool: call.name,
      ...(came.result !== undefined && { result: shortened(came.result, max) }),
      ...(came.error !== undefined && { error: shortened(came.error, max) }),
      ...(came.offered && { offered: came.offered }),
      ...(approved !== undefined && { approved }),
    };
  }

  private async carryOut(
    turn: HistoryTurn,
    call: RequestedCall,
    toolId: string | undefined,
    history: History,
  ): Promise<Came> {
    if (call.fault !== undefined) return { error: call.fault };
    const key = `${turn.key}:${turn.turn}.${turn.calls.indexOf(call)}`;
    if (toolId !== undefined) return this.callTool(call, toolId, key);
    const own = ownFunctions(this.data).map(({ name }) => name);
    if (!isOwn(call.name) || !own.includes(call.name)) {
      const names = [...own, ...history.offered.map(({ name }) => name)];
      return { error: `There is no function "${call.name}". There are: ${names.join(", ") || "none"}.` };
    }
    const { found, ...given } = await callOwn(call.name, call.arguments, {
      data: this.data,
      context: this.context,
      key,
    });
    return found ? this.offer(found, history) : given;
  }

  /** Offers the tools that a search found, so that the model can call them from now on. */
  private offer(found: AgentTool[], { offered }: History): Came {
    const room = MAX_AGENT_TOOLS - offered.length;
    const fresh = nameTools(offered, found).slice(0, Math.max(0, room));
    for (const tool of found) this.tools.set(tool.id, tool);
    const names = new Map([...offered, ...fresh].map(({ name, toolId }) => [toolId, name]));
    const lines = found.flatMap(({ id, description }) => {
      const name = names.get(id);
      return name === undefined ? [] : [`${name}: ${shortened(description, 300)}`];
    });
    const none = found.length > 0 ? "There are as many functions already as there may be." : "No function is found.";
    return { result: lines.length > 0 ? lines.join("\n") : none, offered: fresh };
  }

  private async callTool(call: RequestedCall, toolId: string, idempotencyKey: string): Promise<Came> {
    const { doc, dry, parts, signal } = this.context;
    if (dry === "all") return { error: "It is not called: this is a test." };
    try {
      const made = { workspaceId: doc.workspaceId, toolId, arguments: call.arguments, idempotencyKey };
      const timeoutMs = Math.min(this.limitMs, CALL_MS);
      const onProgress = this.progress(call.name);
      const result = await parts.toolCalls.invoke({ ...made, timeoutMs }, { signal, onProgress });
      const text = resultText(result);
      return result.isError ? { error: text } : { result: text };
    } catch (error) {
      return { error: toolFailure(error, toolId).message };
    }
  }
}
