export interface Option {
  type: "string" | "boolean";
  short?: string;
  /** What its value is, for help; options without one are switches. */
  value?: string;
  help: string;
}

export type Options = Readonly<Record<string, Option>>;

/** What was written after a command. */
export interface Given {
  args: readonly string[];
  text: (option: string) => string | undefined;
  flag: (option: string) => boolean;
}

export interface Command {
  /** One word or two. */
  name: string;
  /** A word that may be written before the name. */
  group?: string;
  /** As in `<workflow> [<file>]`; those in brackets may be left out. */
  args?: string;
  summary: string;
  options?: Options;
  /** More to say in its help, one line each. */
  notes?: readonly string[];
  /** Gives the exit code where it is not 0; `version` is that of Weft. Errors: UsageError, CommandError, those of the SDK. */
  run: (given: Given, version: string) => Promise<number | void>;
}

export const FAILED = 1;
export const USAGE = 2;
export const INTERRUPTED = 130;

/** What was written cannot be meant. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** It cannot be done, for a reason that the message says. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The nth argument, where the command has one. */
export const argument = ({ args }: Given, index = 0): string => args[index] ?? "";
