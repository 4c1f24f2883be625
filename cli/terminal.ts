import { stripVTControlCharacters, styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/**
 * Replaces control characters. Names and messages may come from other people, and a terminal must not execute what they
 * contain.
 */
export const withoutControls = (text: string): string => text.replace(/\p{Cc}/gu, " ");

/** JSON with escaped control characters, so that a terminal prints it literally. */
export const jsonText = (value: unknown, indent = 2): string =>
  (JSON.stringify(value, null, indent) ?? "null").replace(
    /(?!\n)\p{Cc}/gu,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Results go to standard output, which scripts read. */
export const printResult = (text: string): void => void process.stdout.write(`${text}\n`);
/** Messages for people go to standard error. */
export const printMessage = (text: string): void => void process.stderr.write(`${text}\n`);

/** Colours the text when the stream is a terminal, unless `NO_COLOR` is set. */
export const paint = (style: Style, text: string, stream: NodeJS.WritableStream = process.stdout): string =>
  styleText(style, text, { stream });

const STATUS_STYLE: Readonly<Record<string, Style>> = {
  completed: "green",
  failed: "red",
  cancelled: "red",
  suspended: "yellow",
  running: "cyan",
};

export const statusText = (status: string): string => paint(STATUS_STYLE[status] ?? "reset", status);

/** A table with headings. Cells may contain colours. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows];
  const widths = heads.map((_, column) =>
    Math.max(...all.map(row => stripVTControlCharacters(row[column] ?? "").length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - stripVTControlCharacters(cell).length))
      .join("  ");
  return [paint("bold", line(heads).trimEnd()), ...rows.map(row => line(row).trimEnd())].join("\n");
}

export const timeText = (time: string | null): string =>
  time === null ? "" : time.replace("T", " ").replace(/\.\d+Z$/, "Z");

/** A duration in milliseconds, for people. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60
    ? `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
