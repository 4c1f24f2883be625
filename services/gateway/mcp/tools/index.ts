import type { OwnTool } from "../tool.ts";
import { addMemory } from "./add-memory.ts";
import { answerExecution } from "./answer-execution.ts";
import { callTool } from "./call-tool.ts";
import { cancelExecution } from "./cancel-execution.ts";
import { findTools } from "./find-tools.ts";
import { getExecution } from "./get-execution.ts";
import { ingestMemory } from "./ingest-memory.ts";
import { listKnowledgeBases } from "./list-knowledge-bases.ts";
import { listWorkflows } from "./list-workflows.ts";
import { runWorkflow } from "./run-workflow.ts";
import { searchKnowledge } from "./search-knowledge.ts";
import { searchMemory } from "./search-memory.ts";

/** The tools that every workspace has, in the order that clients show them. */
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
