import type { OwnTool } from "../tool.ts";
import { addMemory, ingestMemory, searchMemory } from "./memory.ts";
import { answerExecution, cancelExecution, getExecution, listWorkflows, runWorkflow } from "./executions.ts";
import { callTool, findTools } from "./tool-servers.ts";
import { listKnowledgeBases, searchKnowledge } from "./knowledge.ts";

/** The tools that every workspace has, in the order in which clients show them. */
export const OWN_TOOLS: readonly OwnTool[] = [
  runWorkflow,
  listWorkflows,
  getExecution,
  answerExecution,
  cancelExecution,
  searchMemory,
  addMemory,
  ingestMemory,
  searchKnowledge,
  listKnowledgeBases,
  findTools,
  callTool,
];

export const ownTool = (name: string): OwnTool | undefined => OWN_TOOLS.find(tool => tool.name === name);
