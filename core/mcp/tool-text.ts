import { isObject } from "../json.ts";

/** The parts of a tool that a search compares. */
export interface SearchableTool {
  name: string;
  title?: string | null | undefined;
  description: string;
  inputSchema: unknown;
}

/** The most characters of one tool that a search compares. */
const MAX_CHARS = 8_000;
const MAX_ARGUMENTS = 100;
const MAX_LEVEL = 2;

/** Splits a name in program style into words: `createIssue_v2` becomes `create Issue v2`. */
export const splitName = (name: string): string =>
  name
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ")
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1 ")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();

/** Collects the words of the first arguments. A schema may have thousands of them, so it stops when it has enough. */
function argumentsOf(schema: unknown, found: string[] = [], level = 0): string[] {
  if (!isObject(schema) || !isObject(schema.properties) || level === MAX_LEVEL) return found;
  for (const [name, part] of Object.entries(schema.properties).slice(0, MAX_ARGUMENTS)) {
    if (found.length === MAX_ARGUMENTS) return found;
    found.push(splitName(name.slice(0, MAX_CHARS)));
    argumentsOf(part, found, level + 1);
  }
  return found;
}

/**
 * The text that a search compares: the words of the tool's name, title, description, arguments and server, in a fixed
 * order.
 */
export function toolText({ name, title, description, inputSchema }: SearchableTool, serverName: string): string {
  const words = splitName(name);
  const parts = [
    words === name ? name : `${words} (${name})`,
    title ?? "",
    description,
    argumentsOf(inputSchema).join(", "),
    serverName,
  ];
  return parts
    .filter(part => part !== "")
    .join("\n")
    .slice(0, MAX_CHARS);
}
