import { OWN_TOOL_NAMES } from "../../contracts/entities/workflow-tool.ts";
import { slugify, suffixesOf } from "../slug.ts";

/** With the longest suffix, the name is as long as the strictest clients accept. */
const MAX_LENGTH = 48;

const taken: ReadonlySet<string> = new Set(OWN_TOOL_NAMES);

/**
 * The names that a workflow may have as a tool, best first. The first free one is taken. They have up to 64 lower-case
 * letters, digits and underscores. The current name `known` comes first while it still fits the workflow's name.
 */
export function toolNames(name: string, workflowId: string, known?: string): string[] {
  const slug = slugify(name, "workflow").replaceAll("-", "_").slice(0, MAX_LENGTH).replace(/_$/, "");
  const all = [slug, ...suffixesOf(workflowId).map(suffix => `${slug}_${suffix}`)].filter(each => !taken.has(each));
  return known !== undefined && all.includes(known) ? [known, ...all.filter(each => each !== known)] : all;
}
