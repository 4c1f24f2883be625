import { MAX_CODE_LENGTH } from "../../../code/limits.ts";
import type { Expressions } from "../flow.ts";
import type { NodeKind } from "../kind.ts";
import { readCode } from "./code-parser.ts";
import { textAt, type Translation } from "../translation.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

/** What code can reach in n8n but not in the sandbox. */
const OUTSIDE =
  /\b(await|require|import|fetch|getBinaryDataBuffer|DateTime|getWorkflowStaticData)\b|\bthis\.helpers\b|\$(helpers|getWorkflowStaticData|env|vars|secrets|now|today|jmespath|execution|workflow|binary|prevNode|runIndex|itemIndex|items|getPairedItem|parameter)\b|\.(binary|params|context|itemMatching)\b/;
/** The labels of tokens whose text is not syntax. */
const BLANKED = new Set(["string", "template", "regexp"]);

/**
 * Replaces comments, texts and regular expressions in the code by spaces, so that a search for names ignores them.
 * @throws {Untranslatable} when the code has a syntax error, or too many names
 */
function namesOnly(code: string): string {
  const blanks: { start: number; end: number }[] = [];
  readCode(code, {
    onComment: (_isBlock, _text, start, end) => blanks.push({ start, end }),
    onToken: ({ type, start, end }) => BLANKED.has(type.label) && blanks.push({ start, end }),
  });
  let [text, at] = ["", 0];
  for (const { start, end } of blanks.sort((a, b) => a.start - b.start)) {
    text += code.slice(at, start) + " ".repeat(end - start);
    at = end;
  }
  return text + code.slice(at);
}

/** The nodes that the code refers to. */
const NAMED = /\$(?:node)?[([]\s*(?:"([^"\\]+)"|'([^'\\]+)'|`([^`\\$]+)`)\s*[)\]]|\$node\.(\w+)/g;

const nodesNamed = (code: string) => new Set([...code.matchAll(NAMED)].map(([, a, b, c, d]) => a ?? b ?? c ?? d ?? ""));

/** Converts values to items, in the form in which n8n code expects them. */
const ITEMS = `const $toItems = value => [value].flat().filter(one => one !== undefined).map(json => ({ json }));
const $toInput = all => ({ all: () => all, first: () => all[0], last: () => all.at(-1), item: all[0], json: all[0]?.json });`;

/** A single item becomes its value, and several items become a list. */
const RESULT = `const $value = one => (one !== null && typeof one === "object" && "json" in one ? one.json : one);
const $values = Array.isArray($result) ? $result.map($value) : $value($result);
return Array.isArray($values) && $values.length === 1 ? $values[0] : $values;`;

/** The names that older and newer nodes use for their input. They become parameters of a function around the code. */
const ARGUMENTS: Record<string, [names: string, values: string]> = {
  "n8n-nodes-base.function": ["items", "items"],
  "n8n-nodes-base.functionItem": ["item", "items[0]?.json"],
};

function surround(code: string, own: Expressions, others: Map<string, Expressions>, type: string): string {
  const named = [...others].map(([name, { js }]) => `  ${JSON.stringify(name)}: $toInput($toItems(${js})),`);
  const [names, values] = ARGUMENTS[type] ?? ["items", "items"];
  return [
    "// What n8n gives to its code, from what this step sees.",
    ITEMS,
    `const items = $toItems(${own.js});`,
    "const $input = $toInput(items);",
    "const $json = $input.json;",
    ...(named.length > 0 ? ["const $node = {", ...named, "};", "const $ = name => $node[name];"] : []),
    `const $result = (function (${names}) {`,
    code,
    `})(${values});`,
    RESULT,
  ].join("\n");
}

function sourceOf({ parameters, type }: N8nNode, t: Translation): string {
  const language = textAt(parameters.language, "javaScript");
  if (language !== "javaScript") throw new Untranslatable(`code in ${shown(language)}`);
  const code = textAt(t.fixed(parameters.jsCode ?? parameters.functionCode, "code"), "");
  if (code.length > MAX_CODE_LENGTH) throw new Untranslatable(`code of more than ${MAX_CODE_LENGTH} characters`);
  const outside = OUTSIDE.exec(namesOnly(code))?.[0];
  if (outside !== undefined) throw new Untranslatable(`code that uses \`${shown(outside)}\``);
  const others = new Map([...nodesNamed(code)].map(name => [name, t.named(name)] as const));
  const hidden = [t.own(), ...others.values()].flatMap(({ hiddenFromCode = [] }) => hiddenFromCode);
  const needed = hidden.find(field => code.includes(field));
  if (needed !== undefined) throw new Untranslatable(`code that uses the \`${needed}\` of a call`);
  return surround(code, t.own(), others, type);
}

const isPerItem = ({ type, parameters }: N8nNode) =>
  type === "n8n-nodes-base.functionItem" || parameters.mode === "runOnceForEachItem";

export const code: NodeKind = {
  translate(node, t) {
    if (isPerItem(node) && t.own().list) throw new Untranslatable("code that runs once for each of several items");
    t.warn(
      "If the code returns one item, the output is its value. If it returns several, the output is a list of their values.",
    );
    return { type: "code", data: { code: sourceOf(node, t) } };
  },
  takesLists: true,
};
