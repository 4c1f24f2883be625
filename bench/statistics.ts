/** The value below which this percentage of the values lies (nearest rank). */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN;
}

export const median = (values: number[]): number => percentile(values, 50);
