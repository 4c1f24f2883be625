import { WeftConnectionError, WeftError } from "../sdk/index.ts";
import { CommandError, FAILED, USAGE, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { commandHelp, help } from "./help.ts";
import { findCommand, parse } from "./parse.ts";
import { paint, printMessage, printResult, withoutControls } from "./terminal.ts";

const SIGN_IN: ReadonlySet<string> = new Set(["unauthenticated", "invalid_refresh_token"]);

/** Explains a failure for a user at a terminal, as a list of lines. */
function explain(error: unknown): string[] {
  if (error instanceof WeftError) {
    const { detail, code, status, requestId, errors } = error;
    return [
      detail,
      ...errors.map(({ path, message }) => `  ${path || "body"}: ${message}`),
      `  (${[code, status, requestId && `request ${requestId}`].filter(Boolean).join(", ")})`,
      ...(SIGN_IN.has(code) ? ["Sign in again: weft login"] : []),
    ];
  }
  if (error instanceof WeftConnectionError) {
    const cause = error.cause as { code?: string; message?: string } | undefined;
    const reason = cause?.code ?? cause?.message;
    return [`${error.message}${reason ? ` (${reason})` : "."}`];
  }
  return String((error as Error).message ?? error).split("\n");
}

function fail(error: unknown): number {
  const known = [WeftError, WeftConnectionError, UsageError, CommandError].some(kind => error instanceof kind);
  const [first = "", ...more] = explain(error).map(withoutControls);
  printMessage(`${paint("red", "weft:", process.stderr)} ${first}`);
  more.forEach(printMessage);
  if (!known) printMessage((error as Error).stack ?? "");
  return error instanceof UsageError ? USAGE : FAILED;
}

async function run(words: readonly string[], version: string): Promise<number> {
  const found = findCommand(COMMANDS, words);
  if (found) {
    const given = parse(found.command, found.rest);
    if (!given.flag("help")) return (await found.command.run(given, version)) ?? 0;
    printResult(commandHelp(found.command));
    return 0;
  }
  const [first = "", ...rest] = words;
  if (first === "--version") {
    printResult(version);
    return 0;
  }
  if (first === "help" && rest.length > 0) return run([...rest, "--help"], version);
  const group = COMMANDS.filter(one => one.group === first || one.name.startsWith(`${first} `));
  const wanted = ["help", "--help", "-h"];
  if (wanted.includes(first) || (group.length > 0 && rest.some(word => wanted.includes(word)))) {
    printResult(help(group.length > 0 ? group : COMMANDS));
    return 0;
  }
  if (first !== "" && group.length === 0)
    throw new UsageError(`There is no command ${JSON.stringify(first)}. See: weft --help`);
  printMessage(help(group.length > 0 ? group : COMMANDS));
  return USAGE;
}

/** Runs the command in these words and returns the exit code. */
export async function main(words: readonly string[], version: string): Promise<number> {
  try {
    return await run(words, version);
  } catch (error) {
    return fail(error);
  }
}
