import type { LogEntry } from "../../sdk/definition.ts";

/** What an entry of a log says, with its error unless the message has it already. */
export const entryText = ({ message, error }: LogEntry): string =>
  error && !message.includes(error.message) ? `${message} ${error.message}` : message;
