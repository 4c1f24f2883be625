import { call } from "../../../../contracts/call.ts";
import { MAX_TOOL_QUERY } from "../../../../contracts/actions/mcp.ts";
import { APPROVAL_FORM, approvalPrompt } from "../../../../core/agent/approval.ts";
import { conversation, systemText } from "../../../../core/agent/conversation.ts";
import { decisionOf, type Move, nextMove } from "../../../../core/agent/next-move.ts";
import { nameTools, ownFunctions, toolFunctions } from "../../../../core/agent/functions.ts";
import {
  type Decision,
  type History,
  type InitialTools,
  type Outcome,
  readHistory,
  usageOf,
} from "../../../../core/agent/history.ts";
import type { AgentData } from "../../../../core/graph/agent-data.ts";
import { NODE_TYPES } from "../../../../core/graph/node-types.ts";
import type { LogLine, StepRecord, StepResult } from "../../../../core/run/entry.ts";
import { NO_AGENT_SERVERS } from "./agent-functions.ts";
import { AgentCalls } from "./agent-calls.ts";
import { askModel, modelFailure } from "./ask-model.ts";
import { callFailed } from "./call-failure.ts";
import { memorySubjectOf, NO_SUBJECT } from "./memory.ts";
import { shownFiles } from "./model-files.ts";
import { done, failed, idempotencyKey, type Perform, type StepContext, timeoutOf } from "./step.ts";

/** How many tools the agent gets at its start, found by a search for its goal. */
const FIRST_TOOLS = 8;

/**
 * Removes the memory if it has no subject. This is so below a schedule or webhook, when the step sets no
 * `memory.userId`.
 */
function withOwnMemory(data: AgentData, { doc }: StepContext): AgentData {
  const named = typeof data.memory === "object" ? data.memory.userId : undefined;
  return data.memory && memorySubjectOf(doc, named) === undefined ? { ...data, memory: false } : data;
}

/** One performance of an agent step. It continues from its records, and records each part before it begins the next. */
class AgentRun {
  private readonly data: AgentData;
  private readonly context: StepContext;
  private readonly records: StepRecord[];
  private readonly calls: AgentCalls;
  private readonly limitMs: number;
  private readonly hasLostMemory: boolean;
  private fileIds: string[] = [];

  constructor(data: AgentData, context: StepContext) {
    this.data = withOwnMemory(data, context);
    this.context = context;
    this.hasLostMemory = Boolean(data.memory) && !this.data.memory;
    this.records = [...context.records];
    this.limitMs = timeoutOf(context.policy, NODE_TYPES.agent.timeoutMs);
    this.calls = new AgentCalls(this.data, context, this.limitMs);
  }

  async run(): Promise<StepResult> {
    const { offered } = readHistory(this.records);
    const failure = await this.look(offered.map(({ toolId }) => toolId));
    if (failure) return failure;
    this.fileIds = await shownFiles(this.data.files ?? [], this.context);
    // This loop ends: the number of turns is limited, and each move adds a record until one ends the performance.
    for (;;) {
      this.context.signal.throwIfAborted();
      const history = readHistory(this.records);
      const result = await this.move(nextMove(history, this.data), history);
      if (result) return result;
    }
  }

  /** Performs a move. Returns the result of the step if the move ends this performance. */
  private async move(move: Move, history: History): Promise<StepResult | undefined> {
    switch (move.kind) {
      case "begin":
        return this.begin();
      case "think":
        return this.think(move, history);
      case "ask":
        return this.ask(move);
      case "call":
        return this.tellOutcome(await this.calls.make(move, history));
      case "refused": {
        const { turn, call: refused, why } = move;
        const made = { turn: turn.turn, callId: refused.callId, tool: refused.name, error: why, approved: false };
        return this.tellOutcome(made);
      }
      case "finish": {
        const { text, finishReason } = move;
        return done({ text, turns: history.turns.length, usage: usageOf(history), finishReason });
      }
    }
  }

  private async keep(output: InitialTools | Decision | Outcome, message: string, level: LogLine["level"] = "info") {
    await this.context.record({ message, output, level });
    this.records.push({ output });
    return undefined;
  }

  /** Reads the descriptions of these tools. A missing tool is not offered, and a call of it returns an error. */
  private async look(toolIds: string[]): Promise<StepResult | undefined> {
    const { doc, parts } = this.context;
    try {
      // One response has space for a part of the tools. The next request asks for the rest.
      for (let left = toolIds; left.length > 0;) {
        const wanted = { workspaceId: doc.workspaceId, toolIds: left };
        const { tools, leftOut = [] } = await call(parts.broker, "mcp.tools.describe", wanted);
        for (const tool of tools) this.calls.tools.set(tool.id, tool);
        left = tools.length > 0 ? leftOut : [];
      }
      return undefined;
    } catch (error) {
      return callFailed(error, "The tool service");
    }
  }

  private async begin(): Promise<StepResult | undefined> {
    const { toolIds, goal, approve } = this.data;
    // With a misspelt id, the intended tool would be called without approval.
    const strange = toolIds && Array.isArray(approve) ? approve.find(id => !toolIds.includes(id)) : undefined;
    if (strange) return failed("invalid_data", `/data/approve: ${strange} is not one of the toolIds.`, false);
    const failure = toolIds ? await this.look(toolIds) : await this.find(goal);
    if (failure) return failure;
    const { tools } = this.calls;
    const missing = toolIds?.find(id => !tools.has(id));
    if (missing) return failed("tool_not_found", `There is no tool ${missing}.`, false);
    if (this.hasLostMemory)
      this.context.log({
        level: "warn",
        message: `The agent runs without memory. /data/memory/userId: ${NO_SUBJECT}.`,
      });
    const named = nameTools([], [...tools.values()]);
    return this.keep({ tools: named }, `Has ${named.map(({ name }) => name).join(", ") || "no tools"}.`);
  }

  private async find(goal: string): Promise<StepResult | undefined> {
    const { doc, parts } = this.context;
    try {
      const wanted = { workspaceId: doc.workspaceId, query: goal.slice(0, MAX_TOOL_QUERY), limit: FIRST_TOOLS };
      const { tools, servers } = await call(parts.broker, "mcp.tools.find", wanted);
      if (servers === 0) this.context.log({ level: "warn", message: NO_AGENT_SERVERS });
      for (const tool of tools) this.calls.tools.set(tool.id, tool);
      return undefined;
    } catch (error) {
      return callFailed(error, "The tool service");
    }
  }

  private async think({ turn, isLast }: Extract<Move, { kind: "think" }>, history: History) {
    const { doc, at } = this.context;
    const { goal, system, model, temperature, maxTokens, credential } = this.data;
    const { functions, leftOut } = toolFunctions(history.offered, this.calls.tools);
    const tools = [...ownFunctions(this.data), ...functions];
    if (leftOut.length > 0 && turn === 1)
      this.context.log({
        level: "warn",
        message: `Not offered, because the descriptions are too long together: ${leftOut.join(", ")}.`,
      });
    const request = {
      system: systemText(system, isLast && this.data.maxTurns > 1),
      messages: conversation(history, goal, this.fileIds, this.data.messages),
      ...(tools.length > 0 && { tools, toolChoice: isLast ? ("none" as const) : ("auto" as const) }),
      ...{ model, temperature, maxTokens },
    };
    let decision: Decision;
    try {
      const answer = await askModel(this.context, request, { limitMs: this.limitMs, credentialId: credential, turn });
      decision = decisionOf(turn, isLast, answer, idempotencyKey(doc, at));
    } catch (error) {
      return modelFailure(error);
    }
    const { text, calls } = decision;
    if (text.trim() === "" && calls.length === 0)
      return isLast
        ? failed("max_turns", `The agent used its ${turn} turns without an answer.`, false)
        : failed("model_bad_output", "The model's answer is empty.");
    const wanted = calls.map(({ name }) => name).join(", ");
    return this.keep(decision, `Turn ${turn}: ${wanted ? `calls ${wanted}.` : "answers."}`);
  }

  private ask({
    turn,
    call: wanted,
    toolId,
    question,
  }: Extract<Move, { kind: "ask" }>): Promise<undefined> | StepResult {
    const tool = this.calls.tools.get(toolId);
    if (!tool) {
      const error = "There is no such tool any more.";
      return this.tellOutcome({ turn: turn.turn, callId: wanted.callId, tool: wanted.name, error });
    }
    const { assignees, expiresInMs } = this.data;
    const suspension = {
      nodeId: this.context.at.nodeId,
      prompt: approvalPrompt(tool, wanted),
      form: APPROVAL_FORM,
      ...(assignees && { assignees }),
      expiresAt: expiresInMs === undefined ? null : new Date(Date.now() + expiresInMs).toISOString(),
    };
    return { kind: "ask", suspension, question };
  }

  private tellOutcome(outcome: Outcome): Promise<undefined> {
    const { tool, error, approved, turn } = outcome;
    if (error === undefined) return this.keep(outcome, `Turn ${turn}: ${tool} gave a result.`);
    const message = approved === false ? `${tool} was refused.` : `${tool} failed: ${error}`;
    return this.keep(outcome, `Turn ${turn}: ${message}`, "warn");
  }
}

/** Works towards a goal in turns. The language model decides what to call, until it answers. */
export const agent: Perform<"agent"> = (data, context) => new AgentRun(data, context).run();
