import { shownCredential, wantedBy } from "../credentials/wanted.ts";
import type { ParseBudget } from "../expressions/parse.ts";
import { compileTemplates, type Template } from "../expressions/template.ts";
import { didYouMean } from "../nearest.ts";
import { policy } from "./definition.ts";
import type { Faults } from "./faults.ts";
import type { GraphNode } from "./graph.ts";
import { isNodeType, NODE_TYPES, type NodeType } from "./node-types.ts";
import type { ReadNode } from "./read-nodes.ts";
import { checkSecrets } from "./check-secrets.ts";
import { knownKeys } from "./unknown-keys.ts";

/** A template that takes its data literally. */
const asItStands = (value: unknown): Template => ({ root: { kind: "constant", value }, faults: [] });

type Data = Readonly<Record<string, unknown>>;

const without = (data: Data, fields: readonly string[]): Data =>
  fields.length === 0 ? data : { ...data, ...Object.fromEntries(fields.map(field => [field, undefined])) };

/** A template for each of these fields. */
const laterOf = (data: Data, fields: readonly string[], budget: ParseBudget): Record<string, Template> =>
  Object.fromEntries(fields.map(field => [field, compileTemplates({ [field]: data[field] }, budget)]));

/** The same template, but it returns these fields as they are written. */
function withLater({ root, ...rest }: Template, data: Data, fields: readonly string[]): Template {
  if (root.kind !== "object") return { ...rest, root: { kind: "constant", value: data } };
  const others = root.entries.filter(([key]) => !fields.includes(key));
  const literal = fields.map(field => [field, { kind: "constant", value: data[field] }] as const);
  return { ...rest, root: { kind: "object", entries: [...others, ...literal] } };
}

/** Set later, when the node is linked to its neighbours. */
const ALONE = { parent: null, compensation: null, undoes: null };

/** Compiles a node: parses its expressions and reports its faults. Returns null if the type is unknown. */
export function compileNode(
  { node, index }: ReadNode,
  byId: ReadonlyMap<string, GraphNode>,
  faults: Faults,
  budget: ParseBudget,
): GraphNode | null {
  const at = ["nodes", index];
  const { id, type, name = id, data = {}, policy: given = policy.parse({}), disabled = false } = node;
  if (!isNodeType(type)) {
    const types = Object.keys(NODE_TYPES);
    // The list is long, so it is left out if a type is a likely match.
    const help = didYouMean(type, types) || ` Known types: ${types.join(", ")}.`;
    faults.add(id, [...at, "type"], `Unknown node type \`${type}\`.${help}`);
    return null;
  }
  const nodeType: NodeType = NODE_TYPES[type];
  const body = nodeType.contains ? { nodes: [], byId } : null;
  const made = { id, type, name, index, data, policy: given, disabled, in: [], out: [], ...ALONE, body };
  // The data of a disabled node is not used, so it may be unfinished.
  if (disabled) return { ...made, template: asItStands(data) };

  const unbound = wantedBy(data.credential);
  const checked = nodeType.data.safeParse(unbound ? without(data, ["credential"]) : data);
  if (unbound)
    faults.add(id, [...at, "data", "credential"], `Choose a credential. Wanted: ${shownCredential(unbound)}.`);
  if (!checked.success) {
    // A missing credential is reported only once.
    const issues = checked.error.issues.filter(({ path }) => !(unbound && path[0] === "credential"));
    faults.issues(id, [...at, "data"], issues, nodeType.literal ? undefined : data);
  }
  // An expression could choose any credential, and the users of a credential could not be determined.
  const { credential } = data;
  const isNamed = typeof credential === "string" && knownKeys(nodeType.data).includes("credential");
  if (isNamed && credential.includes("{{"))
    faults.add(id, [...at, "data", "credential"], "A credential is named by its id, not by an expression.");
  const fault = checked.success ? nodeType.check?.(data) : null;
  if (fault) faults.add(id, [...at, "data", ...fault.path], fault.message);
  for (const { path, message } of nodeType.checkWritten?.(data) ?? [])
    faults.add(id, [...at, "data", ...path], message);
  const laterFields = (nodeType.later?.fields ?? []).filter(field => data[field] !== undefined);
  const template = nodeType.literal ? asItStands(data) : compileTemplates(without(data, laterFields), budget);
  const later = laterOf(data, laterFields, budget);
  for (const one of [template, ...Object.values(later)]) {
    for (const fault of one.faults) faults.addAt(id, [...at, "data"], fault.path, fault.message);
    checkSecrets(id, [...at, "data"], one, nodeType.sendsOut ?? [], faults);
  }
  if (given.onError === "continue" && !nodeType.handles(data).includes("out")) {
    const message = `A ${type} step has no handle \`out\`, so it cannot continue after an error. Use \`route\` and an edge from the handle \`error\`.`;
    faults.add(id, [...at, "policy", "onError"], message);
  }
  if (nodeType.contains && (given.timeoutMs !== undefined || given.retry.maxAttempts > 1)) {
    const message = `A ${type} has no time limit and no retries of its own. Set them on the steps inside it.`;
    faults.add(id, [...at, "policy"], message);
  }
  if (laterFields.length === 0) return { ...made, template };
  return { ...made, template: withLater(template, data, laterFields), later };
}
