import type { ImportWarning } from "../../contracts/entities/workflow-document.ts";
import { isObject } from "../json.ts";

/** Fields of a node's data that refer to something in one installation or workspace, and what they refer to. */
const REFERENCES: Record<string, string> = {
  workflowId: "a workflow",
  knowledgeBaseId: "a knowledge base",
  knowledgeBaseIds: "knowledge bases",
  toolId: "a tool",
  toolIds: "tools",
  userIds: "users",
  assignees: "users",
};
const MAX_WARNINGS = 100;

/** An expression has no value until it runs, so it refers to nothing yet. */
const isNamed = (value: unknown) =>
  Array.isArray(value) ? value.some(isNamed) : typeof value === "string" && value !== "" && !value.includes("{{");

/** References of a definition that may not exist where it is imported. */
export function foreignReferences(definition: unknown): ImportWarning[] {
  if (!isObject(definition)) return [];
  const warnings: ImportWarning[] = [];
  const { nodes, settings } = definition;
  for (const node of Array.isArray(nodes) ? nodes : []) {
    if (!isObject(node) || !isObject(node.data) || typeof node.id !== "string") continue;
    const named = Object.keys(REFERENCES).filter(field => isNamed((node.data as Record<string, unknown>)[field]));
    for (const field of named) {
      const message = `\`${field}\` names ${REFERENCES[field]} of where the file comes from: check that it is right here.`;
      warnings.push({ nodeId: node.id, node: typeof node.name === "string" ? node.name : null, message });
    }
  }
  if (isObject(settings) && isNamed(settings.errorWorkflowId)) {
    const message =
      "`settings.errorWorkflowId` names a workflow of where the file comes from: check that it is right here.";
    warnings.push({ nodeId: null, node: null, message });
  }
  return warnings.slice(0, MAX_WARNINGS);
}
