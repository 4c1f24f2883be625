export interface Option {
  type: "string" | "boolean";
  short?: string;
  /** The name of the option's value in help. Options without one are switches. */
  value?: string;
  /** The option may be given several times. */
  multiple?: boolean;
  help: string;
}

export type Options = Readonly<Record<string, Option>>;

/** The arguments and options that followed a command. */
export interface Given {
  args: readonly string[];
  text: (option: string) => string | undefined;
  /** All values of an option that may be given several times. */
  texts: (option: string) => readonly string[];
  flag: (option: string) => boolean;
}

export interface Command {
  /** The name of the command, one word or two. */
  name: string;
  /** A word that users may write before the name. */
  group?: string;
  /** The arguments as help shows them, such as `<workflow> [<file>]`. Those in brackets are optional. */
  args?: string;
  summary: string;
  options?: Options;
  /** Further lines of the command's help. */
  notes?: readonly string[];
  /**
   * Returns the exit code unless it is 0. `version` is the version of Weft.
   * @throws {UsageError} when the arguments make no sense
   * @throws {CommandError} when the command cannot be carried out; errors of the SDK pass through
   */
  run: (given: Given, version: string) => Promise<number | void>;
}

export const FAILED = 1;
export const USAGE = 2;
export const INTERRUPTED = 130;

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command cannot be carried out. The message says why. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The nth argument, or an empty text when it was not given. */
export const argument = ({ args }: Given, index = 0): string => args[index] ?? "";

/** True for the option that turns something on, false for the one that turns it off, undefined for neither. */
export function switchOption(given: Given, on: string, off: string): boolean | undefined {
  if (given.flag(on) && given.flag(off)) throw new UsageError(`--${on} and --${off} exclude each other`);
  return given.flag(on) ? true : given.flag(off) ? false : undefined;
}
