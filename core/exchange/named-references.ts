import { ID_PATTERN } from "../../contracts/primitives.ts";
import { isObject, type JsonObject } from "../json.ts";

/** What a definition refers to by an id of its workspace, except credentials: see `credential-references.ts`. */
export type ReferenceKind = "workflow" | "knowledge" | "tool" | "user";

export interface Reference {
  kind: ReferenceKind;
  /** The id, or the name. */
  value: string;
}

/** The fields of a node's data that hold ids or lists of ids. */
const FIELDS: Readonly<Record<string, ReferenceKind>> = {
  workflowId: "workflow",
  knowledgeBaseId: "knowledge",
  knowledgeBaseIds: "knowledge",
  toolId: "tool",
  toolIds: "tool",
  approve: "tool",
  userIds: "user",
  assignees: "user",
};

/** A reference by name. It replaces an id, because ids mean nothing in another space. */
const NAMED = /^(workflow|knowledge|tool|user):(.{1,500})$/s;

type Change = (kind: ReferenceKind, value: string) => string;

const changed = (kind: ReferenceKind, value: unknown, change: Change): unknown =>
  typeof value === "string" ? change(kind, value) : value;

function dataOf(data: JsonObject, change: Change): JsonObject {
  const next = { ...data };
  for (const [field, kind] of Object.entries(FIELDS)) {
    if (!Object.hasOwn(next, field)) continue;
    const value = next[field];
    next[field] = Array.isArray(value)
      ? value.map((one: unknown) => changed(kind, one, change))
      : changed(kind, value, change);
  }
  const { memory } = next;
  if (isObject(memory) && Object.hasOwn(memory, "workflowId")) {
    next.memory = { ...memory, workflowId: changed("workflow", memory.workflowId, change) };
  }
  return next;
}

/** Applies `change` to each reference in a definition. The definition need not be valid. */
export function mapReferences(definition: unknown, change: Change): unknown {
  if (!isObject(definition)) return definition;
  const { nodes, settings } = definition;
  return {
    ...definition,
    ...(Array.isArray(nodes) && {
      nodes: nodes.map((node: unknown) =>
        isObject(node) && isObject(node.data) ? { ...node, data: dataOf(node.data, change) } : node,
      ),
    }),
    ...(isObject(settings) &&
      Object.hasOwn(settings, "errorWorkflowId") && {
        settings: { ...settings, errorWorkflowId: changed("workflow", settings.errorWorkflowId, change) },
      }),
  };
}

type Lookup = (reference: Reference) => string | undefined;

function referenceIn(kind: ReferenceKind, value: string): Reference | undefined {
  const [, named, name] = NAMED.exec(value) ?? [];
  return named === kind && name !== undefined ? { kind, value: name } : undefined;
}

/** Replaces the known ids in a definition by names. */
export const withNames = (definition: unknown, nameOf: Lookup): unknown =>
  mapReferences(definition, (kind, value) => {
    const name = ID_PATTERN.test(value) ? nameOf({ kind, value }) : undefined;
    return name === undefined ? value : `${kind}:${name}`;
  });

/** Replaces the known names in a definition by ids. */
export const withIds = (definition: unknown, idOf: Lookup): unknown =>
  mapReferences(definition, (kind, value) => {
    const named = referenceIn(kind, value);
    return (named && idOf(named)) ?? value;
  });

/** The ids that a definition refers to. */
export function idsIn(definition: unknown): Reference[] {
  const found: Reference[] = [];
  mapReferences(definition, (kind, value) => {
    if (ID_PATTERN.test(value)) found.push({ kind, value });
    return value;
  });
  return found;
}

/** The names that a definition refers to. */
export function namesIn(definition: unknown): Reference[] {
  const found: Reference[] = [];
  withIds(definition, named => void found.push(named));
  return found;
}

const ANY_ID = "00000000-0000-7000-8000-000000000000";

/** Replaces each name by some id, so that the rest of the definition can be checked. */
export const anyIds = (definition: unknown): unknown => withIds(definition, () => ANY_ID);
