import { comparison, conditionsOf } from "../conditions.ts";
import type { Expressions } from "../flow.ts";
import type { NodeKind } from "../kind.ts";
import { listAt, objectAt, textAt, type Translation } from "../translation.ts";
import { literal, part, type Typed } from "../typed.ts";
import { Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

/** Whether the step has chosen this result. */
const took = (id: string, result: string): Expressions => ({
  jsonata: `steps.${id}.${result}`,
  js: `steps.${id}?.${result.replace(" = ", " === ")}`,
});

export const condition: NodeKind = {
  translate: ({ parameters }, t) => ({ type: "condition", data: { if: `{{ ${conditionsOf(parameters, t).text} }}` } }),
  gives: ({ name }, flows) => flows.into(name),
  handle: (_, output) => ["true", "false"][output],
  outputs: () => 2,
  took: (_, output, id) => took(id, `result = ${output === 0}`),
};

/** A value that does not pass the filter has no way to continue. */
export const filter: NodeKind = {
  ...condition,
  handle: (_, output) => (output === 0 ? "true" : undefined),
  outputs: () => 1,
};

interface Rule {
  output: number;
  test: Typed;
}

const isNewer = ({ typeVersion }: N8nNode) => typeVersion >= 3;
const rulesOf = (node: N8nNode) => listAt(node.parameters, "rules", isNewer(node) ? "values" : "rules");

/** The rules of each output, in the order in which they are tried. */
function readRules(node: N8nNode, t: Translation): Rule[] {
  const { parameters } = node;
  if (isNewer(node)) {
    if (objectAt(parameters, "options").allMatchingOutputs === true)
      throw new Untranslatable("a Switch that takes several outputs at once");
    return rulesOf(node).map((rule, output) => ({ output, test: conditionsOf(rule, t) }));
  }
  const type = textAt(parameters.dataType, "number");
  const left = t.expression(parameters.value1 ?? "");
  return rulesOf(node).map((rule, index) => {
    const output = typeof rule.output === "number" ? rule.output : index;
    return { output, test: comparison(type, textAt(rule.operation, "equal"), left, t.expression(rule.value2 ?? "")) };
  });
}

/** The output for values that no rule matches: a number, or an extra output. */
function fallback(node: N8nNode): number | "extra" | "none" {
  const { parameters } = node;
  const given = isNewer(node) ? objectAt(parameters, "options").fallbackOutput : parameters.fallbackOutput;
  if (given === "extra") return "extra";
  return typeof given === "number" && given >= 0 ? given : "none";
}

const isByNumber = ({ parameters }: N8nNode) => parameters.mode === "expression";

function outputsOf(node: N8nNode): number {
  const { numberOutputs, outputsAmount } = node.parameters;
  const count = numberOutputs ?? outputsAmount;
  if (isByNumber(node)) return typeof count === "number" ? count : 4;
  return isNewer(node) ? rulesOf(node).length + (fallback(node) === "extra" ? 1 : 0) : 4;
}

const MAX_OUTPUTS = 200;

function translateSwitch(node: N8nNode, t: Translation) {
  const cases = (outputs: Iterable<number>) =>
    [...new Set(outputs)].map(output => ({ id: `${output}`, equals: output }));
  if (isByNumber(node)) {
    const count = Math.min(outputsOf(node), MAX_OUTPUTS);
    const value = `{{ ${t.expression(node.parameters.output ?? 0).text} }}`;
    return { type: "switch", data: { value, cases: cases(Array.from({ length: count }, (_, output) => output)) } };
  }
  const tests = readRules(node, t);
  const none = fallback(node);
  const choice = tests.map(({ output, test }) => `${part(test)} ? ${output} : `).join("");
  const value = `{{ ${choice}${typeof none === "number" ? literal(none).text : "null"} }}`;
  const outputs = [...tests.map(({ output }) => output), ...(typeof none === "number" ? [none] : [])];
  return { type: "switch", data: { value, cases: cases(outputs) } };
}

/** The handle of an output. The number of the output is the id of its case. */
function handleOf(node: N8nNode, output: number): string {
  const isExtra = isNewer(node) && !isByNumber(node) && fallback(node) === "extra" && output === rulesOf(node).length;
  return isExtra ? "default" : `case:${output}`;
}

/** The step switches on the number of the first output whose rule holds. Its cases are these numbers. */
export const switchNode: NodeKind = {
  translate: translateSwitch,
  gives: ({ name }, flows) => flows.into(name),
  handle: handleOf,
  outputs: outputsOf,
  took: (node, output, id) => took(id, `case = ${JSON.stringify(handleOf(node, output).replace("case:", ""))}`),
};
