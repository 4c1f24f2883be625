/** The suites that failed, those first that failed most often. */
export function summaryOf(runs: readonly (readonly string[])[]): string {
  const bad = runs.filter(failed => failed.length > 0).length;
  const times = new Map<string, number>();
  for (const suite of runs.flat()) times.set(suite, (times.get(suite) ?? 0) + 1);
  const lines = [...times].sort(([, a], [, b]) => b - a).map(([suite, count]) => `${count} × ${suite}`);
  return [`${bad} of ${runs.length} runs failed`, ...lines].join("\n");
}
