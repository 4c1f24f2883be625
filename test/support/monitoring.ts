import { readFileSync } from "node:fs";
import { METRICS, type MetricName } from "../../telemetry/metrics.ts";

/** A Prometheus expression and its place. */
export interface Query {
  where: string;
  expr: string;
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

const panels = () => (JSON.parse(readFileSync("ops/grafana/dashboard.json", "utf8")) as { panels: Panel[] }).panels;

export const dashboardTitles = (): string[] => panels().map(({ title }) => title);

export const dashboardQueries = (): Query[] =>
  panels().flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: `panel ${title}`, expr })));

/** The alerts: name, expression, and other fields as text. */
export function alerts(): (Query & { name: string; text: string })[] {
  const rules = readFileSync("ops/prometheus/alerts.yml", "utf8")
    .split(/^ {6}- alert: /m)
    .slice(1);
  return rules.map(text => {
    const name = /^\w+/.exec(text)?.[0] ?? "";
    const folded = /^ {8}expr: >-\n((?: {10}.*\n)+)/m.exec(text)?.[1];
    const expr = folded ?? /^ {8}expr: (.*)$/m.exec(text)?.[1] ?? "";
    return { name, where: `alert ${name}`, expr: expr.replace(/\s+/g, " ").trim(), text };
  });
}

/** Labels that Prometheus adds. */
const GIVEN = ["instance", "job", "le"];
const SUFFIX = /_(bucket|sum|count)$/;

/** The metric for a name in a query; undefined if there is none. */
function metricOf(name: string): MetricName | undefined {
  const base = name.replace(SUFFIX, "");
  if (base !== name && Object.hasOwn(METRICS, base)) {
    return METRICS[base as MetricName].type === "histogram" ? (base as MetricName) : undefined;
  }
  const isWhole = Object.hasOwn(METRICS, name) && METRICS[name as MetricName].type !== "histogram";
  return isWhole ? (name as MetricName) : undefined;
}

/** The metrics and labels in a query that do not exist. */
export function faultsOf({ where, expr }: Query): string[] {
  const faults: string[] = [];
  const known = new Set<string>(GIVEN);
  const found = [...expr.matchAll(/\b(?:weft|process|nodejs)_[a-z_]+/g)].map(match => match[0]);
  // Prometheus itself creates `up`.
  if (found.length === 0 && !/\bup\{/.test(expr)) faults.push(`${where} asks for no metric`);
  for (const name of found) {
    const metric = metricOf(name);
    if (metric) METRICS[metric].labels.forEach(label => known.add(label));
    else faults.push(`${where}: there is no metric ${name}`);
  }
  const matched = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(
    ([, inner = ""]) => inner.match(/\w+(?=\s*(?:=|!))/g) ?? [],
  );
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inner = ""]) => inner.split(/\s*,\s*/));
  for (const label of [...matched, ...grouped]) {
    if (!known.has(label)) faults.push(`${where}: no metric of it has a label ${label}`);
  }
  return faults;
}

export const metricsIn = (queries: Query[]): Set<MetricName> =>
  new Set(
    queries.flatMap(({ expr }) =>
      [...expr.matchAll(/\b(?:weft|process|nodejs)_[a-z_]+/g)].flatMap(([name]) => metricOf(name) ?? []),
    ),
  );
