export interface Option {
  type: "string" | "boolean";
  short?: string;
  /** The name of the option's value in help texts. Options without one are switches. */
  value?: string;
  /** The option may be given several times. */
  multiple?: boolean;
  help: string;
}

export type Options = Readonly<Record<string, Option>>;

/** The arguments and options of a command. */
export interface Invocation {
  args: readonly string[];
  text: (option: string) => string | undefined;
  /** All values of an option that may be given several times. */
  texts: (option: string) => readonly string[];
  flag: (option: string) => boolean;
}

export interface Command {
  /** The name of the command: one word or two. */
  name: string;
  /** An optional word before the name. */
  group?: string;
  /** The arguments in the form for help texts, such as `<workflow> [<file>]`. Those in brackets are optional. */
  args?: string;
  summary: string;
  options?: Options;
  /** Additional lines of the command's help. */
  notes?: readonly string[];
  /**
   * Runs the command. Returns the exit code unless it is 0. `version` is the version of Weft.
   * @throws {UsageError} when the arguments are invalid
   * @throws {CommandError} when the command fails; errors of the SDK pass through
   */
  run: (given: Invocation, version: string) => Promise<number | void>;
}

export const FAILED = 1;
export const USAGE = 2;
export const INTERRUPTED = 130;

/** The command line is invalid. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The command failed. The message says why. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The nth argument, or an empty text if it was not given. */
export const argument = ({ args }: Invocation, index = 0): string => args[index] ?? "";

/** True for the option that turns something on, false for the option that turns it off, undefined for neither. */
export function switchOption(given: Invocation, on: string, off: string): boolean | undefined {
  if (given.flag(on) && given.flag(off)) throw new UsageError(`--${on} and --${off} exclude each other`);
  return given.flag(on) ? true : given.flag(off) ? false : undefined;
}
