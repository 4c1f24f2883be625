import { median } from "../statistics.ts";

/** One measured value, and its limit in the design. */
interface Figure {
  what: string;
  /** The median of several runs, or a single number. */
  value: number;
  unit: string;
  /** The largest allowed value. */
  bar?: number | undefined;
}

const format = (value: number, unit: string): string => {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  return `${value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit && ` ${unit}`}`;
};

/** The values of one part of the benchmark, as a Markdown table for documents. */
export class Report {
  private readonly title: string;
  private readonly figures: Figure[] = [];

  constructor(title: string) {
    this.title = title;
  }

  /** Adds the median of the values. */
  add(what: string, values: number | readonly number[], unit: string, bar?: number): void {
    const value = typeof values === "number" ? values : median([...values]);
    this.figures.push({ what, value, unit, bar });
  }

  /** The exceeded limits, as sentences. */
  get missed(): string[] {
    return this.figures
      .filter(({ value, bar }) => bar !== undefined && !(value <= bar))
      .map(({ what, value, unit, bar }) => `${what}: ${format(value, unit)}, the bar is ${format(bar!, unit)}`);
  }

  toString(): string {
    const rows = this.figures.map(({ what, value, unit, bar }) => [
      what,
      format(value, unit),
      bar === undefined ? "" : format(bar, unit),
    ]);
    const all = [[this.title, "measured", "bar"], ...rows];
    const widths = [0, 1, 2].map(column => Math.max(...all.map(row => row[column]!.length)));
    const line = (row: readonly string[]) => `| ${row.map((cell, n) => cell.padEnd(widths[n]!)).join(" | ")} |`;
    const rule = `| ${widths.map(width => "-".repeat(width)).join(" | ")} |`;
    return [line(all[0]!), rule, ...rows.map(line)].join("\n");
  }
}
