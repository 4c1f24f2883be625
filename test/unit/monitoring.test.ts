import { readFileSync } from "node:fs";
import { METRICS, type MetricName } from "../../telemetry/metrics.ts";
import { alerts, dashboardQueries, dashboardTitles, faultsOf, metricsIn } from "../support/monitoring.ts";

const docs = readFileSync("docs/operations.md", "utf8");
const alertDocs = readFileSync("docs/alerts.md", "utf8");
const names = Object.keys(METRICS) as MetricName[];

describe("dashboard and alerts", () => {
  it("query only existing metrics and labels", () => {
    expect(dashboardQueries().length).toBeGreaterThan(30);
    expect(alerts().length).toBeGreaterThan(10);
    expect([...dashboardQueries(), ...alerts()].flatMap(faultsOf)).toEqual([]);
  });

  it("show every metric", () => {
    const shown = metricsIn(dashboardQueries());
    expect(names.filter(name => !shown.has(name))).toEqual([]);
  });

  it("never sum values that every worker reads from the same store", () => {
    const shared = [...dashboardQueries(), ...alerts()].filter(({ expr }) => /weft_(queue_\w+|workers)\b/.test(expr));
    expect(shared.length).toBeGreaterThan(5);
    for (const { expr } of shared) {
      expect(expr.replace(/(max( by \(state\))? ?|absent)\(weft_(queue_\w+|workers)\b/g, "")).not.toMatch(
        /weft_(queue_|workers)/,
      );
    }
  });

  it.each([
    ["sum(weft_quue_depth)", "there is no metric weft_quue_depth"],
    ["weft_http_request_duration_seconds", "there is no metric weft_http_request_duration_seconds"],
    ["weft_workers_count", "there is no metric weft_workers_count"],
    ['weft_queue_depth{status="queued"}', "no metric of it has a label status"],
    ["sum by (workspace) (weft_queue_depth)", "no metric of it has a label workspace"],
    ["vector(1)", "asks for no metric"],
  ])("are checked for: %s", (expr, fault) => {
    expect(faultsOf({ where: "here", expr })).toEqual([expect.stringContaining(fault)]);
  });

  it("state the severity of each alert, and the documentation says what to do", () => {
    for (const { text } of alerts()) {
      expect(text).toMatch(/labels: \{ severity: (page|ticket) \}/);
      expect(text).toMatch(/summary: ".+"/);
    }
    const headings = [...alertDocs.matchAll(/^## (Weft\w+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(alerts().map(({ name }) => name));
    const named = alertDocs.match(/\bWeft[A-Z]\w+/g) ?? [];
    expect(headings).toEqual(expect.arrayContaining([...new Set(named)]));
  });
});

describe("the documentation", () => {
  it("names only panels that the dashboard has", () => {
    const panels = [...alertDocs.matchAll(/(?<!\w)_([A-Z][^_\n]+)_/g)].map(([, title]) => title);
    expect(panels.length).toBeGreaterThan(5);
    expect(dashboardTitles()).toEqual(expect.arrayContaining(panels));
  });

  it("lists every metric of the table", () => {
    const table = /^### All metrics\n(.*?)(?=\n##)/ms.exec(docs)?.[1] ?? "";
    const rows = [...table.matchAll(/^\| `(\w+)` +\| (.*?) *\| (.*?) *\|$/gm)];
    const listed = rows.map(([, name, labels = "", help]) => ({ name, labels: labels.match(/\w+/g) ?? [], help }));
    const inTable = names.map(name => ({ name, labels: [...METRICS[name].labels], help: METRICS[name].help }));
    // Markdown may escape what it would take for something else.
    expect(listed.map(row => ({ ...row, help: row.help!.replace(/\\/g, "") }))).toEqual(inTable);
  });

  it("names no metric that does not exist", () => {
    const queries = [...`${docs}${alertDocs}`.matchAll(/`((?:weft|process|nodejs)_[^`]+)`/g)].map(
      ([, expr = ""]) => expr,
    );
    const known = queries.filter(expr => !Object.hasOwn(METRICS, expr));
    expect(known.flatMap(expr => faultsOf({ where: "docs", expr }))).toEqual([]);
  });
});
