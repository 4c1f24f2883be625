import { parseArgs } from "node:util";
import { type Command, type Invocation, type Options, UsageError } from "./command.ts";

/** The options of every command. */
export const GLOBAL_OPTIONS: Options = {
  json: { type: "boolean", help: "print JSON, for programs" },
  url: { type: "string", value: "url", help: "the service; default: the last one you signed in to" },
  workspace: { type: "string", short: "w", value: "workspace", help: "another workspace, by id, name or slug" },
  space: { type: "string", short: "s", value: "space", help: "another space, by id or name" },
  help: { type: "boolean", short: "h", help: "show help for a command" },
};

/** The command at the beginning of these words, and the remaining words. */
export function findCommand(commands: readonly Command[], words: readonly string[]) {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(" ");
    const command = commands.find(one => one.name === name || `${one.group} ${one.name}` === name);
    if (command) return { command, rest: words.slice(length) };
  }
  return undefined;
}

function checkCount({ args = "", name }: Command, given: readonly string[]): void {
  const wanted = args.match(/\[?<[^>]+>\]?/g) ?? [];
  const missing = wanted.filter(one => !one.startsWith("["))[given.length];
  if (missing) throw new UsageError(`weft ${name} needs ${missing}`);
  const extra = given[wanted.length];
  if (extra !== undefined) throw new UsageError(`weft ${name} takes no ${JSON.stringify(extra)}`);
}

/** Options that people might expect to accept a secret. */
const SECRET = /^--?(password|pass|token|secret|api-?key)\b/i;

function parsed(options: Options, words: readonly string[]) {
  if (words.some(word => SECRET.test(word))) {
    throw new UsageError(
      "Do not pass secrets on the command line, where others can read them: weft asks for them or reads standard input",
    );
  }
  try {
    return parseArgs({ args: [...words], options: { ...GLOBAL_OPTIONS, ...options }, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** @throws {UsageError} when an option is unknown, or when arguments are missing or too many */
export function parse(command: Command, words: readonly string[]): Invocation {
  const { values, positionals } = parsed(command.options ?? {}, words);
  const flag = (name: string) => values[name] === true;
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  const texts = (name: string) => [values[name] ?? []].flat().filter(value => typeof value === "string");
  if (!flag("help")) checkCount(command, positionals);
  return { args: positionals, flag, text, texts };
}
