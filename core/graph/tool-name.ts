import { OWN_TOOL_NAMES } from "../../contracts/entities/workflow-tool.ts";
import { slugify, suffixesOf } from "../slug.ts";

/** With the longest suffix it is what the strictest clients take. */
const MAX_LENGTH = 48;

const taken: ReadonlySet<string> = new Set(OWN_TOOL_NAMES);

/**
 * What a workflow may be called as a tool, the first that is free: lower-case letters, digits and underscores, up to 64. The
 * name that it has comes first where it still says what the workflow is called.
 */
export function toolNames(name: string, workflowId: string, known?: string): string[] {
  const slug = slugify(name, "workflow").replaceAll("-", "_").slice(0, MAX_LENGTH).replace(/_$/, "");
  const all = [slug, ...suffixesOf(workflowId).map(suffix => `${slug}_${suffix}`)].filter(each => !taken.has(each));
  return known !== undefined && all.includes(known) ? [known, ...all.filter(each => each !== known)] : all;
}
