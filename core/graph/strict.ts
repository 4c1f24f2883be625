import { formFault } from "../forms/check-form.ts";
import { isObject } from "../json.ts";
import { type Faults, isTemplated } from "./faults.ts";
import type { GraphNode, WorkflowGraph } from "./graph.ts";
import { NODE_TYPES, type NodeType } from "./node-types.ts";
import { checkNotes } from "./notes.ts";
import { KEY } from "./settings.ts";
import { checkEdgeKeys, checkKeys, checkNodeKeys, checkTopKeys } from "./strict-keys.ts";
import { checkReferences, type Known } from "./strict-references.ts";
import { checkTests } from "./tests.ts";
import { checkCredential } from "./known-credentials.ts";

/** What is known about the space of a definition. Contradictions are faults. */
export interface KnownNames {
  /** The variables of the space. */
  vars?: ReadonlySet<string> | undefined;
  /** The types of the credentials that the definition names, by their ids; null for one that the space does not have. */
  credentials?: ReadonlyMap<string, string | null> | undefined;
}

/**
 * Reports what a run would ignore: keys without a meaning, and names in expressions that refer to nothing. Only new
 * saves and deployments are checked this way. Stored definitions run as before.
 */
export function checkStrictly(
  definition: object,
  { nodes, edges }: { nodes: readonly unknown[]; edges: readonly unknown[] },
  graph: WorkflowGraph,
  known: Known & KnownNames,
  faults: Faults,
): void {
  const { byId, settings } = graph;
  checkTopKeys(definition, faults);
  checkNotes((definition as { notes?: unknown }).notes, faults);
  checkTests((definition as { tests?: unknown }).tests, graph, faults);
  // A node that could not be read may be a `wait`.
  const isResumable = (id: string) => NODE_TYPES[byId.get(id)?.type ?? "wait"].takesCalls === true;
  const names = { ...known, resumable: new Set([...known.nodeIds].filter(isResumable)) };
  for (const node of byId.values()) {
    if (faults.areEnough) return;
    const at = ["nodes", node.index];
    checkNodeKeys(node, at, nodes[node.index] as Record<string, unknown>, faults);
    if (node.disabled) continue;
    checkKeys(node, at, nodes[node.index] as { data?: unknown; policy?: unknown }, faults);
    checkReferences(node.id, [...at, "data"], node.template.root, names, faults);
    if (known.credentials) checkCredential(node, [...at, "data"], known.credentials, faults);
    checkSchema(node, [...at, "data"], faults);
    if (node.later) checkLater(node, [...at, "data"], faults);
    const more = NODE_TYPES[node.type].later?.sees === "response" ? ["response"] : [];
    for (const { root } of Object.values(node.later ?? {}))
      checkReferences(node.id, [...at, "data"], root, { ...names, more }, faults);
  }
  edges.forEach((edge, index) => {
    if (isObject(edge)) checkEdgeKeys(["edges", index], edge, faults);
  });
  const input = settings.inputSchema && formFault(settings.inputSchema, { strict: true });
  if (input !== undefined) faults.add(null, ["settings", "inputSchema"], input);
  // These expressions are evaluated before any step has run.
  if (settings.identity)
    checkReferences(null, ["settings"], settings.identity.root, { ...known, nodeIds: new Set() }, faults);
  const key = settings.concurrency?.key;
  if (key) checkReferences(null, KEY, key.root, { ...known, nodeIds: new Set() }, faults);
}

/** The fields that hold a JSON Schema, in any type of step. */
const SCHEMA_FIELDS = ["form", "schema"];

/** An unreadable schema would refuse every answer and every signal. */
function checkSchema({ id, type, data }: GraphNode, at: readonly PropertyKey[], faults: Faults): void {
  if (!NODE_TYPES[type].awaitsOutside) return;
  for (const field of SCHEMA_FIELDS) {
    const fault = isObject(data[field]) ? formFault(data[field], { strict: true }) : undefined;
    if (fault !== undefined) faults.add(id, [...at, field], fault);
  }
}

/**
 * The step gets the field as written. An expression in place of a number would stay a text, and the step would fail.
 */
function checkLater({ id, type, data }: GraphNode, at: readonly PropertyKey[], faults: Faults): void {
  const { later, data: schema }: NodeType = NODE_TYPES[type];
  for (const { path } of schema.safeParse(data).error?.issues ?? []) {
    if (!later?.fields.includes(String(path[0])) || !isTemplated(data, path)) continue;
    faults.add(id, [...at, ...path], "An expression here would not be evaluated.");
  }
}
