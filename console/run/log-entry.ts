import type { LogEntry } from "../../sdk/definition.ts";

/** The text of a log entry. It includes the error unless the message does already. */
export const entryText = ({ message, error }: LogEntry): string =>
  error && !message.includes(error.message) ? `${message} ${error.message}` : message;
