import { type Flow, hasRun, inBoth, isKnown, listOf } from "../flow.ts";
import type { Flows } from "../flows.ts";
import type { NodeKind } from "../kind.ts";
import { checkMatch, matched } from "./merge-match.ts";
import { textAt } from "../translation.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

type Mode = "append" | "together" | "choose" | "match" | "pairs" | null;

const COMBINES: Readonly<Record<string, Mode>> = {
  combineByPosition: "together",
  mergeByPosition: "together",
  combineByFields: "match",
  mergeByFields: "match",
  combineAll: "pairs",
  multiplex: "pairs",
};

/** The mode of a Merge, under the names of all versions; null when Weft has no counterpart. */
function modeOf({ parameters }: N8nNode): Mode {
  const mode = textAt(parameters.mode, "append");
  if (mode === "append") return "append";
  if (mode === "mergeByIndex") return "together";
  if (mode === "chooseBranch" || mode === "passThrough") return "choose";
  const how = textAt(parameters.combineBy ?? parameters.combinationMode, "mergeByFields");
  if (mode === "mergeByKey") return "match";
  return mode === "combine" && Object.hasOwn(COMBINES, how) ? COMBINES[how]! : null;
}

/** The number of the input whose data continues, from 0. */
function chosen({ parameters }: N8nNode): number {
  const given = parameters.useDataOfInput ?? parameters.output;
  const number = typeof given === "string" ? Number(given.replace("input", "")) : given;
  return typeof number === "number" && number >= 1 ? number - 1 : 0;
}

/** The fields of all inputs in one object, in which later inputs win; or all inputs in one list. */
function combined(node: N8nNode, flows: Flows, mode: Exclude<Mode, "choose" | null>): Flow {
  const links = flows.links(node.name);
  if (mode === "append" && (links.length < 2 || flows.areExclusive(links))) return flows.into(node.name);
  const inputs = [...new Set(links.map(({ input }) => input))].sort((a, b) => a - b);
  const sources = inputs.map(input => flows.into(node.name, input));
  const known = sources.filter(isKnown);
  if (known.length < sources.length) return sources.find(flow => !isKnown(flow))!;
  if (mode === "together" && known.some(({ list }) => list)) return { why: "it puts lists together item by item" };
  const guard = hasRun(flows.idOf(node.name));
  if (mode === "match" || mode === "pairs") {
    try {
      return { ...matched(node, known, mode === "pairs"), guard, list: true };
    } catch (error) {
      if (error instanceof Untranslatable) return { why: error.message };
      throw error;
    }
  }
  if (mode === "append") return { ...listOf(known), guard, list: true };
  const text = (language: "jsonata" | "js") => known.map(source => source[language]).join(", ");
  return {
    ...inBoth(language => (language === "js" ? `Object.assign({}, ${text("js")})` : `$merge([${text("jsonata")}])`)),
    guard,
    list: false,
  };
}

export const merge: NodeKind = {
  translate(node) {
    if (modeOf(node) === null) {
      const { mode, combineBy, combinationMode } = node.parameters;
      throw new Untranslatable(
        `a Merge in mode "${shown([mode, combineBy ?? combinationMode].filter(Boolean).join(" "))}"`,
      );
    }
    if (modeOf(node) === "match") checkMatch(node);
    return { type: "merge", data: { mode: "all" } };
  },
  gives(node, flows) {
    const mode = modeOf(node);
    if (mode === null) return { why: `"${node.name}" combines in a way that cannot be said here` };
    return mode === "choose" ? flows.into(node.name, chosen(node)) : combined(node, flows, mode);
  },
  takesLists: true,
};
