import type { Source } from "../flow.ts";
import { listAt, objectAt, textAt } from "../translation.ts";
import { field, typed } from "../typed.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

/** The pairs of fields by which items of two inputs match. */
function pairsOf({ parameters }: N8nNode): [string, string][] {
  const listed = listAt(parameters, "mergeByFields", "values").map(({ field1, field2 }): [string, string] => [
    textAt(field1, ""),
    textAt(field2, ""),
  ]);
  const same = textAt(parameters.fieldsToMatchString ?? parameters.fieldsToMatch, "")
    .split(",")
    .map(name => name.trim())
    .filter(name => name !== "")
    .map((name): [string, string] => [name, name]);
  const pairs = listed.length > 0 ? listed : same;
  if (pairs.length === 0 || pairs.flat().some(name => name === "" || /[.[\]`]/.test(name)))
    throw new Untranslatable("a Merge by fields that it does not name plainly");
  return pairs;
}

const JOINS = new Set(["keepMatches", "enrichInput1"]);

/**
 * Whether items of the first input are kept without a match.
 * @throws {Untranslatable} for other joins
 */
function keepsFirst({ parameters }: N8nNode): boolean {
  const join = textAt(parameters.joinMode, "keepMatches");
  if (!JOINS.has(join)) throw new Untranslatable(`a Merge in mode "${shown(join)}"`);
  if (textAt(parameters.outputDataFrom, "both") !== "both") throw new Untranslatable("a Merge that gives one input");
  const options = objectAt(parameters, "options");
  const clash = textAt(objectAt(options, "clashHandling", "values").resolveClash, "preferLast");
  if (clash !== "preferLast" && clash !== "preferInput2")
    throw new Untranslatable(`fields that clash by "${shown(clash)}"`);
  if (textAt(options.multipleMatches, "all") !== "all") throw new Untranslatable("the first match alone");
  return join === "enrichInput1";
}

/** @throws {Untranslatable} when the node joins in a way that has no counterpart */
export function checkMatch(node: N8nNode): void {
  pairsOf(node);
  keepsFirst(node);
}

/** The matching items of two inputs, each pair merged into one item. With `everyPair`, all pairs are merged. */
export function matched(node: N8nNode, [a, b]: readonly Source[], everyPair: boolean): Pick<Source, "jsonata" | "js"> {
  if (!a || !b) throw new Untranslatable("a Merge of one input");
  const pairs = everyPair ? [] : pairsOf(node);
  const keeps = !everyPair && keepsFirst(node);
  const test = pairs.map(
    ([one, other]) => `${field(typed("$", "any", true), other).text} = ${field(typed("$a", "any", true), one).text}`,
  );
  const matches = test.length === 0 ? "$b" : `$b[${test.join(" and ")}]`;
  const both = "$merge([$a, $])";
  const found = keeps ? `$m := ${matches}; $exists($m) ? $m.${both} : $a` : `${matches}.${both}`;
  const js =
    pairs.map(([one, other]) => `b?.[${JSON.stringify(other)}] === a?.[${JSON.stringify(one)}]`).join(" && ") || "true";
  const merged = `const m = [${b.js}].flat().filter(b => ${js}).map(b => ({ ...a, ...b }));`;
  return {
    // Inside a path, names are looked up in its items, so the second input is bound to a variable.
    jsonata: `($b := [${b.jsonata}]; [[${a.jsonata}].($a := $; ${found})])`,
    js: `[${a.js}].flat().flatMap(a => { ${merged} return ${keeps ? "m.length > 0 ? m : [a]" : "m"}; })`,
  };
}
