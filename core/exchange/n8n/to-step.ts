import { isNodeType } from "../../graph/node-types.ts";
import { isKnown } from "./flow.ts";
import type { Flows } from "./flows.ts";
import type { NodeKind, Step } from "./kind.ts";
import { Translation } from "./translation.ts";
import { shown, Untranslatable } from "./untranslatable.ts";
import type { N8nNode } from "./workflow.ts";

/** The result of converting an n8n node, with the warnings for the person who imports it. */
export interface ConvertedNode {
  step: Step & { policy?: Record<string, unknown> };
  /** The original node, when the step differs from it. */
  original?: Record<string, unknown>;
  warnings: string[];
}

const MAX_TYPE = 100;
/** Steps without the handle `out`, so that the default edge cannot leave them. */
const WITHOUT_OUT = new Set(["condition", "switch", "fail"]);

const asItWas = ({ type, typeVersion, parameters, credentials }: N8nNode) => ({
  type,
  typeVersion,
  parameters,
  ...(credentials && { credentials }),
});

/** A step with the node's own type, which validation reports, and with all of its data. */
function kept(node: N8nNode, reason: string): ConvertedNode {
  const type = (isNodeType(node.type) ? `n8n.${node.type}` : node.type).slice(0, MAX_TYPE);
  const note = `Kept as it was in n8n; it does not run here. Reason: ${reason}.`;
  return { step: { type, data: { note, original: asItWas(node) } }, warnings: [note] };
}

/** In n8n a disabled node passes its input on, and a disabled trigger starts nothing. */
function disabled(node: N8nNode, flows: Flows, isTrigger: boolean): ConvertedNode {
  const original = asItWas(node);
  if (isTrigger) {
    const warnings = ["It is disabled: here a condition that never holds, so that nothing starts by it."];
    return { step: { type: "condition", data: { if: false } }, original, warnings };
  }
  const flow = flows.into(node.name, 0);
  const value = isKnown(flow) ? `{{ ${flow.jsonata} }}` : null;
  return {
    step: { type: "transform", data: { value } },
    original,
    warnings: ["It is disabled: here it passes on what comes."],
  };
}

function policyOf(node: N8nNode, { type, timeoutMs }: Step, warn: (message: string) => void): Record<string, unknown> {
  const policy: Record<string, unknown> = timeoutMs === undefined ? {} : { timeoutMs };
  if (node.retryOnFail && type === "map") warn("Its retries are left out. Set `policy.retry` at the steps inside it.");
  else if (node.retryOnFail) {
    const maxAttempts = Math.min(100, Math.max(1, Math.trunc(node.maxTries)));
    const initialMs = Math.min(86_400_000, Math.max(0, node.waitBetweenTries));
    policy.retry = { maxAttempts, backoff: "fixed", initialMs, jitter: 0 };
  }
  const goesOn = node.continueOnFail || node.onError === "continueRegularOutput";
  if (node.onError === "continueErrorOutput") policy.onError = "route";
  else if (goesOn && WITHOUT_OUT.has(type))
    warn("The run ends when this step fails: it has several outputs, so there is no single one to continue by.");
  else if (goesOn) policy.onError = "continue";
  return policy;
}

function translated(node: N8nNode, kind: NodeKind, flows: Flows, isTrigger: boolean): ConvertedNode {
  const t = new Translation(flows, node);
  const into = flows.into(node.name);
  if (!isTrigger && flows.links(node.name).length === 0) {
    throw new Untranslatable("no node leads to it, so n8n never runs it");
  }
  if (!kind.takesLists && isKnown(into) && into.list) {
    throw new Untranslatable("several items reach it, and n8n runs it for each; use a map for that");
  }
  const step = kind.translate(node, t);
  if (flows.isRepeated(node.name) && step.type !== "merge") {
    t.warn(
      "Several nodes lead to it. n8n runs it once for each of them. Here it runs once, when all of them have finished.",
    );
  }
  const policy = policyOf(node, step, message => t.warn(message));
  const { type, data } = step;
  return { step: { type, data, ...(Object.keys(policy).length > 0 && { policy }) }, warnings: t.warnings };
}

/** A node of n8n as a step. A node without a counterpart is kept as it is. */
export function toStep(node: N8nNode, kind: NodeKind | undefined, flows: Flows, isTrigger: boolean): ConvertedNode {
  if (node.disabled) return disabled(node, flows, isTrigger);
  if (!kind) return kept(node, "there is no step like it here");
  try {
    return translated(node, kind, flows, isTrigger);
  } catch (error) {
    if (!(error instanceof Untranslatable)) throw error;
    const made = kept(node, error.message);
    // Nodes that serve this node are left out with it.
    const parts = flows.subNodes(node.name).map(({ name, type }) => `"${name}" (${shown(type)}) is left out with it.`);
    return { ...made, warnings: [...made.warnings, ...parts] };
  }
}
