import type { Command, Options } from "./command.ts";
import { GLOBAL_OPTIONS } from "./parse.ts";
import { paint } from "./terminal.ts";

const head = (text: string) => paint("bold", text);

function columns(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}

const optionRows = (options: Options): [string, string][] =>
  Object.entries(options).map(([name, { short, value, help }]) => {
    return [`${short ? `-${short}, ` : "    "}--${name}${value ? ` <${value}>` : ""}`, help];
  });

const usage = ({ name, args }: Command) => [name, args].filter(Boolean).join(" ");

export function commandHelp(command: Command): string {
  const { summary, options = {}, notes = [] } = command;
  return [
    `${summary}.`,
    "",
    `${head("Usage:")} weft ${usage(command)} [options]`,
    "",
    ...(Object.keys(options).length > 0 ? [head("Options:"), ...columns(optionRows(options)), ""] : []),
    head("Options of every command:"),
    ...columns(optionRows(GLOBAL_OPTIONS)),
    ...(notes.length > 0 ? ["", ...notes] : []),
  ].join("\n");
}

/** The help of all commands, or of the commands in a group. */
export function help(commands: readonly Command[]): string {
  return [
    `${head("Usage:")} weft <command> [options]`,
    "",
    head("Commands:"),
    ...columns(commands.map(command => [usage(command), command.summary])),
    "",
    head("Options of every command:"),
    ...columns(optionRows(GLOBAL_OPTIONS)),
    "",
    head("Environment:"),
    ...columns([
      ["WEFT_URL", "the service"],
      ["WEFT_API_KEY", "an API key, instead of a login"],
      ["WEFT_WORKSPACE", "the workspace, by id, name or slug"],
      ["WEFT_SPACE", "the space, by id or name"],
      ["NO_COLOR", "any value turns off colours"],
    ]),
    "",
    `${head("Exit codes:")} 0 done, 1 failed, 2 wrong arguments, 130 interrupted`,
  ].join("\n");
}
