/** The failed suites, most frequent first. */
export function summaryOf(runs: readonly (readonly string[])[]): string {
  const bad = runs.filter(failed => failed.length > 0).length;
  const times = new Map<string, number>();
  for (const suite of runs.flat()) times.set(suite, (times.get(suite) ?? 0) + 1);
  const lines = [...times].sort(([, a], [, b]) => b - a).map(([suite, count]) => `${count} × ${suite}`);
  return [`${bad} of ${runs.length} runs failed`, ...lines].join("\n");
}
