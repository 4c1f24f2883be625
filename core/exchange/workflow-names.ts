import { isObject, type JsonObject } from "../json.ts";

/** A workflow by its slug, in place of an id that means nothing in another space. */
const NAMED = /^workflow:([a-z0-9-]{1,80})$/;

type Change = (value: unknown) => unknown;

const changed = (data: JsonObject, field: string, change: Change): JsonObject =>
  Object.hasOwn(data, field) ? { ...data, [field]: change(data[field]) } : data;

function dataOf(data: JsonObject, change: Change): JsonObject {
  const next = changed(data, "workflowId", change);
  return isObject(next.memory) ? { ...next, memory: changed(next.memory, "workflowId", change) } : next;
}

/** A definition with each reference to a workflow changed. */
function mapWorkflows(definition: unknown, change: Change): unknown {
  if (!isObject(definition)) return definition;
  const { nodes, settings } = definition;
  return {
    ...definition,
    ...(Array.isArray(nodes) && {
      nodes: nodes.map((node: unknown) =>
        isObject(node) && isObject(node.data) ? { ...node, data: dataOf(node.data, change) } : node,
      ),
    }),
    ...(isObject(settings) && { settings: changed(settings, "errorWorkflowId", change) }),
  };
}

/** The definition with slugs in place of the ids of workflows that are known. */
export const withSlugs = (definition: unknown, slugOf: (id: string) => string | undefined): unknown =>
  mapWorkflows(definition, value => {
    const slug = typeof value === "string" ? slugOf(value) : undefined;
    return slug === undefined ? value : `workflow:${slug}`;
  });

/** The definition with ids in place of the slugs of workflows that are known. */
export const withIds = (definition: unknown, idOf: (slug: string) => string | undefined): unknown =>
  mapWorkflows(definition, value => {
    const slug = typeof value === "string" ? NAMED.exec(value)?.[1] : undefined;
    return slug === undefined ? value : (idOf(slug) ?? value);
  });

/** The slugs of the workflows that a definition refers to. */
export function slugsIn(definition: unknown): string[] {
  const slugs = new Set<string>();
  withIds(definition, slug => void slugs.add(slug));
  return [...slugs];
}
