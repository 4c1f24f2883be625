import { allFamilies, type Family, Histogram, type Value } from "./instruments.ts";
import { definitionOf } from "./metrics.ts";

const ESCAPES: Record<string, string> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };
const escaped = (value: string) => value.replace(/[\\"\n]/g, char => ESCAPES[char] ?? "");

function labelSet(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return "";
  return `{${names.map((name, place) => `${name}="${escaped(values[place] ?? "")}"`).join(",")}}`;
}

function histogramLines(name: string, labels: readonly string[], values: string[], series: Histogram): string[] {
  let count = 0;
  const buckets = [...series.counts].map((inBucket, place) => {
    count += inBucket;
    const bound = series.bounds[place] ?? "+Inf";
    return `${name}_bucket${labelSet([...labels, "le"], [...values, String(bound)])} ${count}`;
  });
  const own = labelSet(labels, values);
  return [...buckets, `${name}_sum${own} ${series.sum}`, `${name}_count${own} ${count}`];
}

const isKnown = ({ series }: { series: Value | Histogram }) =>
  series instanceof Histogram || !Number.isNaN(series.value);

function linesOf(family: Family<Value> | Family<Histogram>): string[] {
  const { name } = family;
  const { type, help, labels } = definitionOf(name);
  const all = family.all.filter(isKnown);
  if (all.length === 0) return [];
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...all.flatMap(({ values, series }) =>
      series instanceof Histogram
        ? histogramLines(name, labels, values, series)
        : [`${name}${labelSet(labels, values)} ${series.value}`],
    ),
  ];
}

/** The current metrics of this process, in Prometheus' text format (0.0.4). */
export const exposition = (): string => `${allFamilies().flatMap(linesOf).join("\n")}\n`;
