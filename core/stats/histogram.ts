/** The number of values in each bucket, by the bucket's number. */
export type Histogram = Readonly<Record<number, number>>;

/**
 * Values below 2 × SUB_BUCKETS have a bucket each. Above, each power of two is divided into SUB_BUCKETS buckets of
 * equal width.
 */
const SUB_BUCKETS = 32;
/** Larger values count as this one: 2^40 ms are 34 years. So a histogram has at most 1,184 buckets. */
const MAX_VALUE = 2 ** 40 - 1;

/** The largest relative error of a percentile: half a bucket's width, at the bucket's lower end. */
export const RELATIVE_ERROR = 1 / (2 * SUB_BUCKETS);

/**
 * The bucket of a value: log-linear, as in HdrHistogram (Gil Tene, http://hdrhistogram.org). It uses only integer
 * arithmetic, so all nodes have the same buckets and their histograms can be added.
 */
function bucketOf(value: number): number {
  const whole = Math.min(Math.max(Math.round(value), 0), MAX_VALUE);
  if (whole < 2 * SUB_BUCKETS) return whole;
  const exponent = Math.floor(Math.log2(whole / SUB_BUCKETS));
  return exponent * SUB_BUCKETS + Math.floor(whole / 2 ** exponent);
}

/** The value that represents a bucket: its only value, or its middle. */
function valueOf(bucket: number): number {
  if (bucket < 2 * SUB_BUCKETS) return bucket;
  const exponent = Math.floor(bucket / SUB_BUCKETS) - 1;
  const width = 2 ** exponent;
  return (bucket - exponent * SUB_BUCKETS) * width + width / 2;
}

/** The histogram of these values (0 or more, in any unit), rounded to integers. */
export function histogramOf(values: Iterable<number>): Histogram {
  const counts: Record<number, number> = {};
  for (const value of values) {
    const bucket = bucketOf(value);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

/** Adds histograms. Their order and grouping do not matter. */
export function mergeHistograms(histograms: Iterable<Histogram>): Histogram {
  const counts: Record<number, number> = {};
  for (const histogram of histograms) {
    for (const bucket in histogram) counts[bucket] = (counts[bucket] ?? 0) + (histogram[bucket] ?? 0);
  }
  return counts;
}

/**
 * The nearest-rank percentile, with `share` in (0, 1]: the least value that is at or above this share of all values. It
 * is an integer within RELATIVE_ERROR of the exact value. Null if there are no values.
 */
export function percentile(histogram: Histogram, share: number): number | null {
  // JavaScript lists integer keys in ascending order.
  const buckets = Object.entries(histogram);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let left = Math.max(Math.ceil(total * share), 1);
  for (const [bucket, count] of buckets) {
    left -= count;
    if (left <= 0) return valueOf(Number(bucket));
  }
  return null;
}
